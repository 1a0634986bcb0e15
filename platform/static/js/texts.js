// The words that scripts put on a page. They stand in the page's templates, where translators find them:
// <template data-texts><i data-text="taken">{count} taken</i></template>

/** @typedef {(key: string, values?: Record<string, string|number>) => string} Words */

/** The words of all templates of a page. @returns {Words} */
export function wordsOf(root = document) {
  const texts = new Map();
  for (const template of root.querySelectorAll("template[data-texts]")) {
    for (const text of template.content.querySelectorAll("[data-text]")) {
      texts.set(text.dataset.text, text.textContent.trim().replace(/\s+/g, " "));
    }
  }
  return (key, values = {}) => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`no template has the text "${key}"`);
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };
}

/** A number with a true minus. */
export const number = (count) => String(count).replace("-", "−");

/** A score with its sign. */
export const signed = (points) => (points > 0 ? "+" : "") + number(points);
