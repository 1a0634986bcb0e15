// Buttons that copy the text beside them; none where the browser does not allow it, as over plain HTTP.
// Code of the documentation has no buttons of its own: they come from the page's template.

const made = document.getElementById("copy-button");

if (navigator.clipboard) {
  for (const code of made ? document.querySelectorAll(".prose .copy") : []) {
    code.append(made.content.cloneNode(true));
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
}

async function copy(button) {
  await navigator.clipboard.writeText(button.closest(".copy").querySelector("pre").textContent);
  button.textContent = button.dataset.copied;
}
