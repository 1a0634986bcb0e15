// The band of one bot's interval runs down the whole table: that of the row which is pointed at or in which the keyboard
// is, and otherwise the reader's own, as the page came.

const stand = document.querySelector(".stand");

stand.addEventListener("pointerover", follow);
stand.addEventListener("focusin", follow);
stand.addEventListener("pointerleave", rest);
stand.addEventListener("focusout", rest);

function follow(event) {
  const row = event.target.closest("tr[data-band]");
  if (row) put(row.dataset.band);
}

function rest() {
  put(stand.querySelector("tr.mine[data-band]")?.dataset.band ?? "0 0");
}

function put(place) {
  const [left, width] = place.split(" ");
  const band = document.getElementById("band");
  band.setAttribute("x", left);
  band.setAttribute("width", width);
}
