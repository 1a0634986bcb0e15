// A person at the table: shows what the seat is told, and sends what is chosen.

import { element } from "./elements.js";
import { draw } from "./table/table.js";
import { wordsOf } from "./texts.js";

const SOON_MS = 300;
const LATER_MS = 1500; // while it is our turn there is news only from another window

const page = document.getElementById("table");
const answers = page.querySelector("[data-answer]");
const asked = page.querySelector("[data-asked]");
const choices = page.querySelector("[data-choices]");
const trouble = page.querySelector("[data-trouble]");
const board = page.querySelector("[data-board]");
const told = page.querySelector("[data-told]");
const bots = JSON.parse(page.dataset.bots);
const words = wordsOf();

let now = { at: "", state: "waiting", question: null, table: null, told: [] };
let first = null; // of two cards, the one that has been chosen
let isSending = false;

follow();

// -- News -----------------------------------------------------------------------------------------

async function follow() {
  if (!isSending) await look();
  if (!isDone()) setTimeout(follow, now.question ? LATER_MS : SOON_MS);
}

const isDone = () => now.state === "finished" || now.state === "void";

async function look() {
  const before = now;
  const query = new URLSearchParams({ after: now.at });
  const news = await said(() => fetch(`${page.dataset.news}?${query}`));
  if (news && now === before && !isSending) show(news);
}

/** What the site answers, or null if there is nothing new; trouble is told. */
async function said(ask) {
  try {
    const answer = await ask();
    const news = answer.status === 204 ? null : await answer.json();
    trouble.textContent = answer.ok ? "" : news.detail;
    return answer.ok ? news : null;
  } catch {
    trouble.textContent = words("no_site");
    return null;
  }
}

// -- What is shown --------------------------------------------------------------------------------

function show(news) {
  const isAnother = news.question?.id !== now.question?.id;
  now = news;
  if (isAnother) first = null;
  page.dataset.question = now.question?.id ?? "";
  tell(news.told);
  paint();
}

/** Puts in what has changed, so that what is new is read out and nothing else. */
function tell(sentences) {
  const lines = [...told.children];
  const same = sentences.findIndex((each, at) => lines[at]?.dataset.source !== each);
  const kept = same < 0 ? sentences.length : same;
  lines.slice(kept).forEach((line) => line.remove());
  for (const sentence of sentences.slice(kept)) {
    const line = element("li");
    line.innerHTML = sentence; // the site's own sentences, which have escaped all names
    line.dataset.source = sentence;
    told.append(line);
  }
  told.parentElement.scrollTop = told.scrollHeight;
}

function paint() {
  const text = prompt();
  if (asked.textContent !== text) asked.textContent = text;
  choices.replaceChildren(...offered());
  board.hidden = !now.table;
  if (!now.table) return;
  const options = now.question ? { onCard: choose, canPlay } : {};
  draw(board, now.table, bots, words, options);
  if (first) press(board.querySelector(`button[data-card="${first}"]`));
}

/** The first card of two: chosen once more, it is not. */
function press(card) {
  const takeBack = (event) => {
    event.stopImmediatePropagation();
    choose(null);
  };
  card.setAttribute("aria-pressed", "true");
  card.addEventListener("click", takeBack, { capture: true });
}

function prompt() {
  if (now.state === "void") return words("ask_void");
  if (now.gone) return words("ask_gone");
  if (now.result) return words("ask_over", now.result);
  if (now.question) return words(first ? "ask_put_second" : `ask_${now.table.phase}`);
  return words(now.state === "waiting" ? "ask_waiting" : "ask_others");
}

/** Buttons for what is no card. */
function offered() {
  if (isDone()) return [element("a", { class: "btn main", href: page.dataset.match }, words("to_replay"))];
  if (now.question && now.table.phase === "window") return now.question.legal.map(windowButton);
  if (!first) return [];
  return [element("button", { class: "btn", type: "button", click: () => choose(null) }, words("put_other"))];
}

function windowButton(move) {
  const about = { class: "btn", type: "button", "data-move": move, click: () => send(move) };
  return element("button", about, words(move));
}

// -- What is chosen -------------------------------------------------------------------------------

const isPair = () => now.table.phase === "put";

function canPlay(card) {
  if (isPair()) return card === first || movesWith(card).length > 0;
  return now.question.legal.includes(card);
}

/** The moves that are left with this card, beside the first if there is one. */
function movesWith(card) {
  const pair = first ? [[first, card].join("+"), [card, first].join("+")] : [];
  return now.question.legal.filter((move) => (first ? pair.includes(move) : move.split("+").includes(card)));
}

function choose(card) {
  if (!now.question || isSending) return;
  if (!isPair()) return send(card);
  if (first && card) return send(movesWith(card)[0]);
  first = card;
  paint();
}

async function send(move) {
  if (isSending) return;
  isSending = true;
  const body = new FormData(answers);
  body.set("id", now.question.id);
  body.set("move", move);
  const news = await said(() => fetch(answers.action, { method: "POST", body }));
  isSending = false;
  first = null;
  if (news) show(news);
  else look();
}
