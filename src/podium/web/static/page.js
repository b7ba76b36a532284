"use strict";
// Everything works without this script; with it, files can be dropped, and large ones are refused before they are sent.
(() => {
  const said = document.getElementById("said");
  const say = (text) => { if (said) said.textContent = text; };

  const problem = (form, text) => {
    let place = document.getElementById("problem");
    if (!place) {
      place = document.createElement("p");
      place.id = "problem";
      place.className = "problem";
      place.setAttribute("role", "alert");
      form.before(place);
    }
    place.textContent = text;
  };

  // Every file of a folder that was dropped, with its path; hidden ones are left out.
  const gather = async (entry, found) => {
    if (!entry || entry.name.startsWith(".")) return;
    if (entry.isFile) {
      found.push([await new Promise((done, failed) => entry.file(done, failed)), entry.fullPath.replace(/^\//, "")]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed)); // a hundred at a time
      if (some.length === 0) return;
      for (const one of some) await gather(one, found);
    }
  };

  for (const form of document.querySelectorAll("form.upload")) {
    const file = form.querySelector("input[type=file]");
    const paths = form.querySelector("input[name=paths]");
    const drop = form.querySelector(".drop");
    const most = Number(form.dataset.most);
    for (const kind of ["dragenter", "dragover"]) {
      drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
    }
    for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
    drop.addEventListener("drop", async (event) => {
      event.preventDefault();
      const entries = Array.from(event.dataTransfer.items, (item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
      if (event.dataTransfer.files.length === 0) return;
      if (file.multiple && entries.some((entry) => entry && entry.isDirectory)) {
        const found = [];
        for (const entry of entries) await gather(entry, found);
        const all = new DataTransfer();
        for (const [one] of found) all.items.add(one);
        file.files = all.files;
        paths.value = found.map(([, path]) => path).join("\n");
      } else {
        file.files = event.dataTransfer.files;
      }
      file.dispatchEvent(new Event("change", { bubbles: true }));
    });
    file.addEventListener("change", () => { if (file.files.length) form.requestSubmit(); });
    form.addEventListener("submit", (event) => {
      const size = Array.from(file.files).reduce((sum, one) => sum + one.size, 0);
      if (size > most) {
        event.preventDefault();
        const what = file.files.length === 1 ? `${file.files[0].name} is` : `These ${file.files.length} files are`;
        problem(form, `${what} larger than ${Math.round(most / 1e6)} MB: give the mean scores only.`);
        file.value = paths.value = "";
      }
    });
  }

  for (const form of document.querySelectorAll("form")) {
    form.addEventListener("submit", (event) => {
      if (event.defaultPrevented) return;
      document.body.classList.add("working");
      say("Working …");
    });
  }
  window.addEventListener("pageshow", () => { document.body.classList.remove("working"); say(""); });

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy).textContent;
      try {
        await navigator.clipboard.writeText(text);
        say("Copied.");
      } catch {
        say("Select the text and copy it by hand.");
      }
    });
  }

  const followed = document.querySelector("[data-follow]");
  if (followed) {
    const follow = async () => {
      try {
        const answer = await fetch(followed.dataset.follow);
        if (answer.ok) {
          const text = await answer.text();
          if (followed.innerHTML !== text) followed.innerHTML = text; // escaped by the server, and scripts in it would not run
        }
      } catch {
        say("The server does not answer.");
      }
      setTimeout(follow, followed.querySelector("[data-ended]") ? 15000 : 2000); // an ended run may be taken up again
    };
    setTimeout(follow, 2000);
  }
})();
