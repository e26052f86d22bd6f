// Runs before the first paint, so a stored theme never flashes; a file of its own because the
// content security policy allows no inline script.
;(() => {
  const stored = localStorage.getItem('hub-sandbox-theme')
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme =
    stored === 'light' || stored === 'dark' ? stored : dark ? 'dark' : 'light'
})()
