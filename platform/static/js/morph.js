// Makes a part of the page like a fresh one and keeps every node that is still there, known by its id or else by its
// place: so focus, selection, scrolling and what somebody has typed or unfolded stay as they are.

export function morph(old, fresh) {
  const focused = document.activeElement;
  become(old, fresh);
  if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
}

function become(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
  } else if (old.dataset.part === "grows" && grows(old, fresh)) {
    grow(old, fresh);
  } else if (old.localName !== "form") {
    takeAttributes(old, fresh);
    takeChildren(old, fresh);
  }
}

function grows(old, fresh) {
  return fresh.textContent.startsWith(old.textContent);
}

/** A log is read out by what is new; whoever reads its end goes on reading its end. */
function grow(old, fresh) {
  const isAtEnd = old.scrollTop + old.clientHeight >= old.scrollHeight - 4;
  const more = fresh.textContent.slice(old.textContent.length);
  if (more) old.append(more);
  if (isAtEnd) old.scrollTop = old.scrollHeight;
}

function takeAttributes(old, fresh) {
  const isMine = (name) => name === "open" && old.localName === "details";
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isMine(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !isMine(name)) old.setAttribute(name, value);
  }
}

function takeChildren(old, fresh) {
  const wanted = new Set(Array.from(fresh.children, ({ id }) => id));
  const known = new Map();
  for (const child of [...old.children]) {
    if (!child.id) continue;
    if (wanted.has(child.id)) known.set(child.id, child);
    else child.remove();
  }
  let place = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const kept = node.id ? known.get(node.id) : place;
    if (!kept || !isLike(kept, node)) old.insertBefore(node, place);
    else {
      if (kept === place) place = place.nextSibling;
      else old.insertBefore(kept, place);
      become(kept, node);
    }
  }
  while (place) [place] = [place.nextSibling, place.remove()];
}

function isLike(old, fresh) {
  return old.nodeName === fresh.nodeName && (old.id ?? "") === (fresh.id ?? "");
}
