// The sentences of a scene as the site wrote them, with the names of who sits at the table.

import { element } from "../elements.js";

/** The site has escaped what stands in them; names are put in as text. */
export function sentences(scene, bots) {
  return scene.told.map((told) => {
    const sentence = element("p");
    sentence.innerHTML = told;
    for (const player of sentence.querySelectorAll("[data-seat]")) {
      player.replaceWith(bots[player.dataset.seat].name);
    }
    return sentence;
  });
}
