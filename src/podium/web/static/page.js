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

  for (const form of document.querySelectorAll("form.upload")) {
    const file = form.querySelector("input[type=file]");
    const drop = form.querySelector(".drop");
    const most = Number(form.dataset.most);
    for (const kind of ["dragenter", "dragover"]) {
      drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
    }
    for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length === 0) return;
      file.files = event.dataTransfer.files;
      file.dispatchEvent(new Event("change", { bubbles: true }));
    });
    file.addEventListener("change", () => { if (file.files.length) form.requestSubmit(); });
    form.addEventListener("submit", (event) => {
      const chosen = file.files[0];
      if (chosen && chosen.size > most) {
        event.preventDefault();
        problem(form, `${chosen.name} is larger than ${Math.round(most / 1e6)} MB: give the mean scores only.`);
        file.value = "";
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
