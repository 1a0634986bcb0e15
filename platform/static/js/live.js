// Keeps a page up to date: whenever its stream says that something has changed, or every few seconds where there is no
// stream, asks for what is live on it again and merges the parts. Parts are matched by their ids; nothing else moves.

import { morph } from "./morph.js";

const POLL_MS = 2000;
const APART_MS = 2000; // at least, however much happens
const SPREAD_MS = 600; // a thousand readers must not ask in the same moment
const STREAM_AGAIN_MS = 30_000;

const live = document.querySelector("[data-live]");
let stream = null;
let timer = null;
let askedAt = 0;

document.addEventListener("visibilitychange", () => (document.hidden ? rest() : begin()));
if (!document.hidden) begin();

function begin() {
  if (live.dataset.live) listen();
}

function rest() {
  stream?.close();
  stream = null;
  clearTimeout(timer);
  timer = null;
}

function listen() {
  stream?.close();
  stream = live.dataset.stream ? new EventSource(live.dataset.stream) : null;
  stream?.addEventListener("open", soon); // what changed before is unknown
  stream?.addEventListener("message", soon);
  stream?.addEventListener("error", poll);
  if (!stream) poll();
  else setTimeout(listenAgain, STREAM_AGAIN_MS, stream);
}

/** A stream that was refused stays closed: its address is too old, or nobody can hear at present. */
function listenAgain(tried) {
  if (tried === stream && stream.readyState === EventSource.CLOSED) listen();
  else if (tried === stream) setTimeout(listenAgain, STREAM_AGAIN_MS, stream);
}

function soon() {
  const rested = askedAt + APART_MS - performance.now();
  timer ??= setTimeout(refresh, Math.max(rested, 0) + Math.random() * SPREAD_MS);
}

function poll() {
  timer ??= setTimeout(refresh, POLL_MS);
}

async function refresh() {
  askedAt = performance.now();
  const fresh = await asked(live.dataset.live);
  timer = null;
  if (fresh) show(fresh);
  if (!live.dataset.live) rest();
  else if (!document.hidden && stream?.readyState !== EventSource.OPEN) poll();
}

async function asked(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null; // the network is away, or the site starts anew: try again
  }
}

function show(page) {
  if (needsMore(page)) return location.reload();
  const fresh = page.getElementById(live.id);
  if (!fresh) return;
  const next = { live: fresh.dataset.live ?? "", stream: fresh.dataset.stream ?? "" };
  for (const part of partsOf(fresh)) morph(document.getElementById(part.id), part);
  Object.assign(live.dataset, next);
}

function partsOf(fresh) {
  return fresh.matches("[data-part]") ? [fresh] : fresh.querySelectorAll("[data-part]");
}

/** Whether the page has become one with scripts or looks that are not here, as a match has with its result. */
function needsMore(page) {
  const here = new Set(filesOf(document));
  return filesOf(page).some((file) => !here.has(file));
}

function filesOf(page) {
  const files = page.querySelectorAll("script[src], link[rel=stylesheet]");
  return Array.from(files, (file) => file.src || file.href);
}
