"use strict";
const { datasets, charts } = JSON.parse(document.getElementById("data").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const keys = [...document.querySelectorAll(".legend button")];
let picked = null;
let drawn = [];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// The page's own colours, as Vega-Lite's configuration.
function theme() {
  const font = "system-ui, sans-serif";
  const text = { labelColor: colour("muted"), titleColor: colour("muted"), labelFont: font, titleFont: font };
  return {
    background: null,
    customFormatTypes: true,
    view: { stroke: null },
    axis: {
      ...text, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 8,
      gridColor: colour("grid"), domainColor: colour("rule"), tickColor: colour("rule"), labelOverlap: true,
    },
    legend: { ...text, labelFontSize: 12, symbolType: "square" },
    range: {
      category: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => colour(`c${i}`)),
      // what is no policy must not look like one of the first two
      outcomes: ["c2", "c7", "c5"].map(colour), levels: ["c2", "c4", "c3"].map(colour),
    },
    style: { single: { color: colour("c0") }, reference: { color: colour("muted"), strokeDash: [5, 4], strokeWidth: 1.3 } },
  };
}

async function drawOne([name, spec]) {
  const place = document.getElementById(`chart-${name}`);
  const options = {
    mode: "vega-lite", actions: false, renderer: "svg", config: theme(),
    tooltip: { theme: dark.matches ? "dark" : "light" }, expressionFunctions: { asText: String },
  };
  const data = { [spec.data.name]: datasets[spec.data.name] };
  try {
    return await vegaEmbed(place, { ...spec, datasets: data }, options);
  } catch (error) {
    place.textContent = `This chart could not be drawn: ${error.message}`;
    return null;
  }
}

async function draw() {
  drawn.forEach((chart) => chart.finalize());
  drawn = (await Promise.all(Object.entries(charts).map(drawOne))).filter(Boolean);
  show();
}

function show() {
  keys.forEach((key) => key.setAttribute("aria-pressed", String(key.dataset.policy === picked)));
  drawn.forEach((chart) => chart.view.signal("picked", picked).runAsync());
}

keys.forEach((key) => key.addEventListener("click", () => {
  picked = picked === key.dataset.policy ? null : key.dataset.policy;
  show();
}));
dark.addEventListener("change", draw);
draw();
