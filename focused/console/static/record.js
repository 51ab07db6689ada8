// The frame moves by itself: ask where it is.
"use strict";

const steps = document.getElementById("steps");
let shown = "";
async function look() {
  try {
    const answer = await fetch(steps.dataset.from);
    const text = await answer.text();
    if (answer.ok && text !== shown) {
      shown = text;
      steps.innerHTML = text;  // made by the server, which escapes it
    }
  } catch { /* the console has ended */ }
  setTimeout(look, 500);
}
look();
