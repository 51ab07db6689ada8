// Tables that take long to count come one after the other, when the page is there already.
"use strict";

async function fill(place) {
  try {
    const answer = await fetch(place.dataset.from);
    if (!answer.ok) throw new Error(answer.status);
    place.innerHTML = await answer.text();  // made by the server, which escapes what comes from strangers
  } catch {
    place.firstElementChild.textContent = "This table could not be counted: load the page again.";
  }
  for (const section of place.querySelectorAll("section")) {
    const link = document.createElement("a");
    [link.href, link.textContent] = [`#${section.id}`, section.querySelector("h2").textContent];
    document.getElementById("jump").append(link);
  }
}

(async () => { for (const place of document.querySelectorAll(".later")) await fill(place); })();
