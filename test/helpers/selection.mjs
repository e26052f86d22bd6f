import { parseArgs } from 'node:util'

/** Layers of `npm test` without a choice: of the unit and contract tests those that take seconds, of the browser tests the journeys. */
const shortLayers = ['unit', 'contract', 'e2e']

export const vitestLayers = ['unit', 'contract', 'compat']
/** Slow layers that few changes concern: they run only when named. */
const layersByName = ['packed', 'recipes']
const allLayers = [...vitestLayers, 'e2e', ...layersByName]

export const usage = `npm test [-- WORD… FLAG…]

Runs the tests, and says in its last line how many passed and failed. Without WORD, --only, -t and --all: unit and
contract tests but the slow ones, and one journey of each kind in the browser.

  WORD           part of the names of files, or a path such as test/unit/hub/oauth
  --only LAYER   one of those below; repeatable
  --all          all layers, as npm run test:all
  --no-browser   leave the browser tests out, and count them as skipped
  --twice        run each test two times, and ask that it passes both
  -t PATTERN     tests whose titles match
  --help         this text

Ends with 1 where a test failed, with 2 for what it does not understand.

Layers: ${allLayers.join(', ')}; ${layersByName.join(' and ')} run only if named.
`

/**
 * @typedef {object} Selection what one run of the tests is about
 * @property {Record<string, string[]>} filters the layers to run, each with parts of file names (none: all)
 * @property {string | undefined} title a pattern for test titles
 * @property {boolean} browser whether the browser tests run, or are counted as skipped
 * @property {string[]} named those of the layers by name that run; of the others the files count as skipped
 * @property {boolean} short whether only fast tests run, because nothing was chosen
 * @property {boolean} twice whether each test runs two times, and must pass both
 */

/**
 * Returns the parts of the build that a run needs. Mistakes are reported by the run itself.
 * @param {string[]} args those of `npm test`
 */
export function builtPartsFor(args) {
  /** @type {import('../../server/tools/launch/build.mjs').Part[]} */
  const least = ['server', 'library', 'renderer']
  /** @type {typeof least} */
  const all = [...least, 'electron', 'types', 'notices']
  try {
    return selectTests(args)?.short ? least : all
  } catch {
    return all
  }
}

/** @param {string} filter */
const layerOf = (filter) => allLayers.find((layer) => filter.startsWith(`test/${layer}/`))

/**
 * Reads the arguments of `npm test -- …`: `--all`, `--only LAYER` (repeatable), `--no-browser`, `--twice`, `-t PATTERN`
 * and parts of file names. A path such as `test/unit/pkce.test.ts` selects its layer alone; any
 * other word is looked for in every layer. The layers by name run only where they are named.
 * @param {string[]} args
 * @returns {Selection | undefined} `undefined` for `--help`
 * @throws {Error} for an unknown option or layer, and for one by name that is to run twice
 */
export function selectTests(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      only: { type: 'string', multiple: true },
      all: { type: 'boolean' },
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
  const isChosen =
    values.all === true ||
    values.only !== undefined ||
    values['test-name-pattern'] !== undefined ||
    words.length > 0
  const layers = (isChosen ? allLayers : shortLayers).filter(
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
    short: !isChosen,
    twice: values.twice ?? false,
  }
}
