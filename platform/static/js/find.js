// The key / leads to the search, wherever one is not writing already.

const field = document.getElementById("find");
const writes = "input, textarea, select, [contenteditable]";

if (field) {
  document.querySelector("[data-shortcut]").hidden = false;
  document.addEventListener("keydown", (pressed) => {
    if (pressed.key !== "/" || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    if (pressed.target.closest(writes)) return;
    pressed.preventDefault();
    field.focus();
    field.select();
  });
}
