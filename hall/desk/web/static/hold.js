// Buttons that act only when they are held for a second, by finger, mouse or key: no slip stops a hall.

const HOLD_MS = 1000;

for (const button of document.querySelectorAll("[data-hold]")) {
  if (!("never" in button.dataset)) button.disabled = false;
  let timer = null;

  const release = () => {
    clearTimeout(timer);
    timer = null;
    button.classList.remove("held");
  };
  const press = () => {
    if (timer !== null || button.disabled || !button.form.reportValidity()) return;
    button.classList.add("held");
    timer = setTimeout(() => {
      release();
      button.disabled = true;
      button.form.requestSubmit();
    }, HOLD_MS);
  };

  button.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    press();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur", "contextmenu"]) button.addEventListener(end, release);
  button.addEventListener("pointermove", (event) => {
    const box = button.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!inside) release();
  });
  button.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") {
      release();
      return;
    }
    event.preventDefault();
    if (!event.repeat) press();
  });
  button.addEventListener("keyup", release);
}
// A hidden page gets no release.
document.addEventListener("visibilitychange", () => {
  for (const button of document.querySelectorAll(".held")) button.dispatchEvent(new Event("blur"));
});
// A page that comes back from the browser's memory has a form that has been sent.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
