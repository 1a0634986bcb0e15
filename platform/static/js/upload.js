// Dropping or pasting a program, and what it is taken for. The form works without: the site decides anyway.

const form = document.querySelector("[data-upload]");
const said = form.querySelector("[data-said]");
const drop = form.querySelector("[data-drop]");
const file = form.elements.file;
const { source, file_name: fileName } = form.elements;
const languages = JSON.parse(form.dataset.endings);
const archives = [".zip", ".tar.gz", ".tgz"];

// What only one language has, the surest first; "Bot" stands for what the class is called.
const signs = [
  [/^\s*#include\s*<(iostream|string|vector|map|algorithm)>|\bstd::/m, "bot.cpp"],
  [/^\s*#include\b/m, "bot.c"],
  [/^package main\b/m, "bot.go"],
  [/^\s*fn main\s*\(|^use std::/m, "bot.rs"],
  [/\bclass\s+(\w+)[\s\S]*\bstatic void main\b/, "Bot.java"],
  [/\brequire\s*\(|^\s*(const|let) \w+|\bconsole\.log\b/m, "bot.js"],
  [/^\s*(import|from|def|class) \w+|\bprint\s*\(/m, "bot.py"],
];

drop.querySelector("[data-lure]").hidden = false;
file.addEventListener("change", () => tell(file.files[0]));
source.addEventListener("input", () => name(source.value));
document.addEventListener("dragover", (event) => mark(event, carriesFiles(event)));
document.addEventListener("dragleave", (event) => mark(event, event.relatedTarget !== null));
document.addEventListener("drop", take);
document.addEventListener("paste", paste);

function carriesFiles(event) {
  return event.dataTransfer.types.includes("Files");
}

function mark(event, isOver) {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  drop.classList.toggle("over", isOver);
}

function take(event) {
  if (!carriesFiles(event)) return;
  mark(event, false);
  const { items, files } = event.dataTransfer;
  if (files.length > 1) return say("several");
  if (items[0]?.webkitGetAsEntry()?.isDirectory) return say("folder");
  file.files = files;
  source.value = "";
  tell(files[0]);
}

function paste(event) {
  if (event.target.closest("input, textarea, select")) return;
  const { files } = event.clipboardData;
  const text = event.clipboardData.getData("text");
  if (files.length === 1) {
    file.files = files;
    tell(files[0]);
  } else if (text) {
    event.preventDefault();
    form.querySelector("[data-paste]").open = true;
    source.value = text;
    file.value = "";
    name(text);
    source.focus();
  }
}

function tell(picked) {
  if (!picked) return said.replaceChildren();
  const about = { NAME: picked.name, SIZE: size(picked.size), LANGUAGE: languageOf(picked.name) };
  const isArchive = archives.some((ending) => picked.name.toLowerCase().endsWith(ending));
  if (picked.size > Number(form.dataset.most)) say("large", about);
  else if (isArchive) say("archive", about);
  else say(about.LANGUAGE ? "taken" : "unknown", about);
}

// The file's name follows what is pasted, until somebody gives one.
function name(text) {
  const found = signs.find(([sign]) => sign.test(text));
  if (!found || fileName.dataset.given) return;
  const called = found[1] === "Bot.java" ? `${found[0].exec(text)[1]}.java` : found[1];
  fileName.value = called;
  say("pasted", { LANGUAGE: languageOf(called) });
}

fileName.addEventListener("input", () => { fileName.dataset.given = "yes"; });

function languageOf(called) {
  return languages[called.slice(called.lastIndexOf(".")).toLowerCase()] ?? "";
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : bytes < 2 ** 20 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`;
}

function say(sentence, about = {}) {
  said.className = ["taken", "archive", "pasted"].includes(sentence) ? "taken" : "taken warn";
  said.textContent = form.dataset[sentence].replace(/NAME|SIZE|LANGUAGE/g, (word) => about[word]);
}
