// Keeps a page up to date: asks for what is live on it again, and puts in the parts that differ.
// Parts are matched by their ids; nothing else moves.

const EVERY_MS = 1000;
const live = document.querySelector("[data-live]");

setTimeout(refresh, EVERY_MS);

async function refresh() {
  const fresh = await asked(live.dataset.live);
  if (fresh) partsOf(fresh).forEach(show);
  if (!fresh || fresh.dataset.live) setTimeout(refresh, EVERY_MS);
}

async function asked(address) {
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.getElementById(live.id);
  } catch {
    return null; // the network is away, or the site starts anew: try again
  }
}

function partsOf(fresh) {
  return fresh.matches("[data-part]") ? [fresh] : [...fresh.querySelectorAll("[data-part]")];
}

function show(part) {
  const old = document.getElementById(part.id);
  if (old.innerHTML === part.innerHTML) return;
  const isAtEnd = old.scrollTop + old.clientHeight >= old.scrollHeight - 4;
  if (part.dataset.part === "grows" && part.textContent.startsWith(old.textContent)) {
    old.append(part.textContent.slice(old.textContent.length)); // read out as news, not as a whole
  } else {
    old.replaceChildren(...part.childNodes);
  }
  if (isAtEnd) old.scrollTop = old.scrollHeight;
}
