// Makes elements: element("p", { class: "why", "data-seat": 2 }, "text", other, ...).

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] null, undefined and false leave one out; functions listen
 * @param {...(Node|string|null|undefined|false)} children
 */
export function element(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function drawn(tag, attributes = {}, ...children) {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function dress(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}
