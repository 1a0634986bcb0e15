// The panel that verifies a match in the reader's browser; its texts stand in tournaments/_verify.html.

const panel = document.getElementById("verify");
const button = panel.querySelector("button");
const verdict = panel.querySelector("[role=status]");
const texts = Object.fromEntries(
  Array.from(panel.querySelector("template").content.querySelectorAll("[data-text]"), (text) => [
    text.dataset.text,
    text.textContent,
  ]),
);

button.hidden = false;
button.addEventListener("click", run);

async function run() {
  button.disabled = true;
  tell("", texts.running);
  try {
    const [{ verify }, replay] = await Promise.all([import("./verify.js"), fetched()]);
    show(verify(replay, panel.dataset.published));
  } catch {
    tell("warn", texts.failed);
  }
  button.disabled = false;
}

async function fetched() {
  const answer = await fetch(panel.dataset.replay);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

function show(checks) {
  for (const check of checks) showCheck(check);
  panel.querySelector(".checks").hidden = false;
  const wrong = checks.filter(({ outcome }) => outcome === "differs" || outcome === "unreadable");
  const differences = wrong.filter(({ difference }) => difference).map(sentence);
  if (wrong.length) tell("bad", [texts.wrong, ...differences].join(" "));
  else tell("good", texts.right);
}

function showCheck({ name, outcome, compared }) {
  const line = panel.querySelector(`[data-check=${name}]`);
  line.className = { same: "passed", nothing: "" }[outcome] ?? "failed";
  line.querySelector("span").textContent = filled(texts[outcome], { count: compared });
}

function sentence({ name, difference: { where, expected, found } }) {
  const place = Object.entries(where).map(([key, number]) => filled(texts[key], { number }));
  const text = texts[`difference-${name}`] ?? texts.difference;
  return filled(text, { where: place.join(", "), expected, found });
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

function tell(look, text) {
  verdict.hidden = false;
  verdict.className = `note breaks ${look}`;
  verdict.textContent = text;
}
