import { parseArgs } from 'node:util'

export const vitestLayers = ['unit', 'contract', 'compat']
/** Slow layers that few changes concern: they run only when named. */
const layersByName = ['packed', 'recipes']
const allLayers = [...vitestLayers, 'e2e', ...layersByName]

export const usage = `npm test [-- WORD… FLAG…]

Runs the tests, and says in its last line how many passed and failed.

  WORD           part of the names of files, or a path such as test/unit/oauth; default: all
  --only LAYER   one of those below; repeatable
  --no-browser   leave the browser tests out, and count them as skipped
  --twice        run each test two times, and ask that it passes both
  -t PATTERN     tests whose titles match
  --help         this text

Ends with 1 where a test failed, with 2 for what it does not understand.

Layers: ${allLayers.join(', ')}; of these ${layersByName.join(' and ')} run only where they are named.
`

/**
 * @typedef {object} Selection what one run of the tests is about
 * @property {Record<string, string[]>} filters the layers to run, each with parts of file names (none: all)
 * @property {string | undefined} title a pattern for test titles
 * @property {boolean} browser whether the browser tests run, or are counted as skipped
 * @property {string[]} named those of the layers by name that run; of the others the files count as skipped
 * @property {boolean} twice whether each test runs two times, and must pass both
 */

/** @param {string} filter */
const layerOf = (filter) => allLayers.find((layer) => filter.startsWith(`test/${layer}/`))

/**
 * Reads the arguments of `npm test -- …`: `--only LAYER` (repeatable), `--no-browser`, `--twice`, `-t PATTERN`
 * and parts of file names. A path such as `test/unit/pkce.test.ts` selects its layer alone; any
 * other word is looked for in every layer. The layers by name run only where they are named.
 * @param {string[]} args
 * @returns {Selection | undefined} `undefined` where somebody asks for help
 * @throws {Error} for an unknown option or layer, and for one by name that is to run twice
 */
export function selectTests(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      only: { type: 'string', multiple: true },
      'no-browser': { type: 'boolean' },
      twice: { type: 'boolean' },
      'test-name-pattern': { type: 'string', short: 't' },
    },
  })
  if (values.help) return undefined
  const unknown = values.only?.find((layer) => !allLayers.includes(layer))
  if (unknown) throw new Error(`--only ${unknown}: expected one of ${allLayers.join(', ')}`)
  const words = positionals.map((word) => word.replaceAll('\\', '/').replace(/^\.\//, ''))
  const filtersOf = (/** @type {string} */ layer) =>
    words.filter((word) => (layerOf(word) ?? layer) === layer)
  const layers = allLayers.filter(
    (layer) =>
      (values.only?.includes(layer) ?? true) && (words.length === 0 || filtersOf(layer).length > 0),
  )
  const named = layersByName.filter(
    (layer) =>
      values.only?.includes(layer) === true || words.some((word) => layerOf(word) === layer),
  )
  if (values.twice && named.length > 0)
    throw new Error(`--twice: the tests of ${named.join(' and ')} run once only`)
  return {
    filters: Object.fromEntries(layers.map((layer) => [layer, filtersOf(layer)])),
    title: values['test-name-pattern'],
    browser: !values['no-browser'],
    named,
    twice: values.twice ?? false,
  }
}
