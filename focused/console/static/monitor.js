// The live plot. The server sends at most 2,000 dots a beat, however long the crawl is.
"use strict";

const plot = document.getElementById("plot");
const hint = document.getElementById("hint");
const panel = document.getElementById("panel");
const chosen = (name) => document.querySelector(`input[name=${name}]:checked`).value;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const HINT = hint.textContent;
const NEWEST = 500;
let picture = null;

function position(columns) {
  return chosen("x") === "time" ? columns.at.map((at) => new Date(at * 1000)) : columns.visit;
}

// Where the part that is looked at begins; what is before it need not be drawn.
function begin(columns) {
  return chosen("span") === "all" ? 0 : Math.max(0, columns.visit.length - NEWEST);
}

function dotsOf(name, wanted, shade) {
  const dots = picture.dots, from = begin(dots);
  const at = dots.visit.map((_, index) => index).filter((index) => index >= from && dots.relevant[index] === wanted);
  const x = position(dots);
  return {
    name, type: "scatter", mode: "markers", hoverinfo: "none",
    x: at.map((index) => x[index]), y: at.map((index) => dots.relevance[index]), customdata: at,
    marker: { color: colour(shade), size: 6, opacity: 0.75 },
  };
}

// Cosines of pages to a query seldom pass 0.4: the picture is as high as the best page in it, in steps of a fifth.
function highest() {
  const seen = picture.dots.relevance.slice(begin(picture.dots));
  return Math.min(1, Math.max(0.2, Math.ceil(Math.max(...seen) * 5) / 5));
}

// From the first to the last page that is looked at, with some room for their dots.
function span(x) {
  const [first, last] = [Number(x[begin(picture.dots)]), Number(x[x.length - 1])];
  const room = Math.max((last - first) / 100, 0.5);
  const ends = [first - room, last + room];
  return chosen("x") === "time" ? ends.map((at) => new Date(at)) : ends;
}

function layout() {
  const axis = { gridcolor: colour("faint"), linecolor: colour("grey"), zeroline: false, separatethousands: true, exponentformat: "none",
    fixedrange: true };
  const x = position(picture.dots), high = highest();
  const title = (text) => ({ text, font: { size: 13, color: colour("grey") } });
  return {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", hovermode: "closest", uirevision: "same",
    font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: colour("ink") },
    margin: { l: 48, r: 12, t: 32, b: 44 },
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    xaxis: { ...axis, showgrid: false, title: title(chosen("x") === "time" ? "time" : "pages fetched"),
      range: span(x) },
    yaxis: { ...axis, range: [-0.03 * high, 1.03 * high], title: title("relevance") },
  };
}

let listening = false;
function draw() {
  if (picture === null || picture.dots.visit === undefined) return;
  if (!listening) plot.replaceChildren();
  const average = picture.average, from = begin(average);
  const line = {
    name: "mean of the last 100 pages", type: "scatter", mode: "lines", hoverinfo: "skip",
    x: position(average).slice(from), y: average.relevance.slice(from), line: { color: colour("amber"), width: 2.5 },
  };
  const traces = [dotsOf("other", 0, "pale"), dotsOf("relevant", 1, "blue"), line];
  Plotly.react(plot, traces, layout(), { responsive: true, displayModeBar: false }).then(listen);
  plot.dataset.last = picture.last;
  plot.dataset.top = highest();
  plot.dataset.dots = picture.dots.visit.length;
}

function listen() {
  if (listening) return;
  listening = true;
  const under = (event) => event.points[0].customdata;
  plot.on("plotly_hover", (event) => {
    const at = under(event), dots = picture.dots;
    hint.textContent = `page ${dots.visit[at]}, relevance ${dots.relevance[at].toFixed(3)}: ${dots.title[at] || "(no title)"}`;
  });
  plot.on("plotly_unhover", () => { hint.textContent = HINT; });
  plot.on("plotly_click", (event) => { location.href = `${plot.dataset.explain}?page=${picture.dots.page_id[under(event)]}`; });
}

for (const input of document.querySelectorAll(".choices input")) input.addEventListener("change", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

const stream = new EventSource(plot.dataset.stream);
stream.onmessage = (event) => {
  const told = JSON.parse(event.data);
  if (told.panel) panel.innerHTML = told.panel;  // made by the server, which escapes what comes from strangers
  if (told.dots) { picture = told; draw(); }
  if (plot.dataset.silent) { delete plot.dataset.silent; hint.textContent = HINT; }
};
stream.onerror = () => {
  plot.dataset.silent = "1";
  hint.textContent = "The console does not answer: is it still running? What is shown may be old.";
};
