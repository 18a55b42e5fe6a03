// Closes a popover when Tab moves the focus on to the screen behind it, which it would cover.
document.addEventListener('focusin', ({ target }) => {
  const popover = document.querySelector('[popover]:popover-open')
  if (popover !== target.popoverTargetElement && !popover?.contains(target)) popover?.hidePopover()
})
