// Keeps the keys that are pressed before the dashboard has loaded, for lib/early-keys.ts; a file of its own
// because the content security policy allows no inline script.
;(() => {
  const kept = []
  const keep = (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, repeat } = event
    const isPaletteKey = (ctrlKey || metaKey) && key.toLowerCase() === 'k'
    const isCharacter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey
    if (altKey || repeat || !(isPaletteKey || isCharacter)) return
    // Some browsers search with it.
    if (isPaletteKey) event.preventDefault()
    kept.push({ key, ctrlKey, metaKey, shiftKey })
  }
  addEventListener('keydown', keep)
  globalThis.earlyKeys = { kept, stop: () => removeEventListener('keydown', keep) }
})()
