// Changes carry the token in a header: no other page can make the browser send it.
"use strict";

const KEY = "focused-token";
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  localStorage.setItem(KEY, given);
  history.replaceState(null, "", location.pathname + location.search);
}
for (const note of document.querySelectorAll(".key")) note.hidden = Boolean(localStorage.getItem(KEY));

function say(text, wrong) {
  const said = document.getElementById("said");
  said.textContent = text;
  said.classList.toggle("wrong", wrong);
}

async function change(form, button) {
  const values = Object.fromEntries(new FormData(form, button));
  say("…", false);
  const answer = await fetch(form.action, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Focused-Token": localStorage.getItem(KEY) || "" },
    body: JSON.stringify(values),
  });
  const text = await answer.text();
  if (!answer.ok) return say(text, true);
  if (form.dataset.into) {
    say("", false);
    document.getElementById(form.dataset.into).innerHTML = text;  // made by the server, which escapes it
  } else {
    const isText = answer.headers.get("content-type").startsWith("text/plain");  // else a piece of a page, shown by itself
    sessionStorage.setItem("said", isText ? text : "");
    location.reload();
  }
}

document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  event.preventDefault();
  if (event.target.dataset.sure && !confirm(event.target.dataset.sure)) return;
  change(event.target, event.submitter).catch(() => say("The console does not answer: is it still running?", true));
});

if (sessionStorage.getItem("said") && document.getElementById("said")) {
  say(sessionStorage.getItem("said"), false);
  sessionStorage.removeItem("said");
}

// How far a training is.
const training = document.getElementById("training");
async function follow() {
  const answer = await fetch(training.dataset.from);
  training.innerHTML = await answer.text();
  if (training.querySelector("progress")) setTimeout(follow, 500);
  else say("", false);  // that it has begun
}
if (training && training.querySelector("progress")) follow();
