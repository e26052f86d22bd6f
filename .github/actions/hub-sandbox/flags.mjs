import { pathToFileURL } from 'node:url'

/**
 * The flags that the inputs ask for, each a word of its own whatever is in it.
 * @param {Record<string, string | undefined>} inputs
 * @returns {string[]}
 */
export function flagsOf({ INPUT_PORT = '', INPUT_FIXTURES = '', INPUT_FLAGS = '' }) {
  const given = INPUT_FLAGS.split('\n').map((line) => line.trim())
  return [
    ...(INPUT_PORT.trim() === '' ? [] : [`--port=${INPUT_PORT.trim()}`]),
    ...(INPUT_FIXTURES === '' ? [] : [`--fixtures=${INPUT_FIXTURES}`]),
    // As on a command line, the name may have a space after it.
    ...given.filter((line) => line !== '').map((line) => line.replace(/^(--[\w-]+)\s+/, '$1=')),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const flag of flagsOf(process.env)) console.log(flag)
}
