"use strict";
// Tables sort by a click on a heading: numbers by value, texts by letters; rows without a value stay last.
for (const table of document.querySelectorAll("main table")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sign = down ? -1 : 1;
      const body = table.tBodies[0];
      const rows = Array.from(body.rows, (row) => [row.cells[column], row]);
      const numeric = rows.every(([cell]) => cell.dataset.order === "" || cell.classList.contains("number"));
      rows.sort(([a], [b]) => {
        const x = a.dataset.order, y = b.dataset.order;
        if (x === "" || y === "") return (x === "") - (y === "");
        return sign * (numeric ? Number(x) - Number(y) : x.localeCompare(y, "en", { numeric: true }));
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
}
// On a narrow page the contents start closed.
if (window.matchMedia("(max-width: 60rem)").matches) document.getElementById("contents").open = false;
// Everything can be printed: closed parts open for it.
window.addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("main details")) part.open = true;
});
