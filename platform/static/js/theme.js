// Light or dark: follows the system until somebody chooses; the choice is kept in this browser.

const root = document.documentElement;
const kept = localStorage.getItem("theme");
if (kept) root.dataset.theme = kept;

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function switchTheme() {
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : systemIsDark.matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

function offer() {
  const button = document.querySelector("[data-switch-theme]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", switchTheme);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", offer);
else offer();
