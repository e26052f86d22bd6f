import { readFile, writeFile } from 'node:fs/promises'
import { rules } from '../../lab/checks/check-catalog.ts'
import { appModules } from '../../lab/audit/app/app-catalog.ts'
import { receiverModules } from '../../lab/audit/receiver/receiver-catalog.ts'
import { stormModules } from '../../lab/audit/receiver/storm.ts'
import { createProgram } from '../../cli/program.ts'
import { controlApi } from '../../contract/control-api.ts'
import { fixturesSchema } from '../../fixtures/schema.ts'
import { readCallsByAction } from './calls-by-action.ts'
import { covered, gaps } from './coverage.ts'
import { renderFence } from './fence.ts'
import { renderLook } from './docs-look.ts'
import { renderFixturesKeys } from './fixtures-keys.ts'
import { controlTools } from '../../lab/mcp/control-tools.ts'
import { readComparison } from './hub-comparison.ts'
import { format } from '../format.ts'
import { rooms } from '../rooms.ts'
import { readSamples } from './recipes.ts'
import { lackingPrograms, lackingRuleTests, type Mistakes } from './rule-tests.ts'
import { renderCallTable, renderScopeTable } from './docs-scopes.ts'
import { renderRecipeCode } from './docs-snippets.ts'
import {
  fillIn,
  renderAppModuleTable,
  renderAgentTools,
  renderCommandTable,
  renderControlTable,
  renderCoverageTable,
  renderFlagTable,
  renderGapTable,
  renderHubCount,
  renderSampleTable,
  renderRoomTable,
  renderModuleTable,
  renderRuleTable,
} from './tables.ts'

const root = new URL('../../../', import.meta.url)

const samples = readSamples(root)

/** Generated tables by page and name: they stand between `<!-- name -->` and `<!-- /name -->`. */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'fixtures/README.md': { fixtures: renderFixturesKeys(fixturesSchema) },
  'server/contract/README.md': {
    coverage: renderCoverageTable(covered),
    'hub-count': renderHubCount(readComparison()),
    gaps: renderGapTable(gaps),
    scopes: renderScopeTable(),
    'scope-calls': renderCallTable(await readCallsByAction()),
    control: renderControlTable(controlApi),
  },
  'server/cli/README.md': {
    commands: renderCommandTable(createProgram()),
    flags: renderFlagTable(),
  },
  'server/lab/mcp/README.md': { 'agent-tools': renderAgentTools(controlTools) },
  'server/README.md': { rooms: renderRoomTable(rooms) },
  'server/lab/audit/README.md': {
    'receiver-modules': renderModuleTable([...receiverModules, ...stormModules]),
    'app-modules': renderAppModuleTable(appModules),
  },
  'server/lab/checks/README.md': { rules: renderRuleTable(rules) },
  'test/recipes/README.md': {
    kits: renderSampleTable(samples, 'kits'),
    recipes: renderSampleTable(samples, 'recipes'),
  },
}

/** The pages with their tables filled in. */
const pages = await Promise.all(
  Object.entries(tables).map(async ([path, byName]) => {
    const text = await readFile(new URL(path, root), 'utf8')
    const filled = Object.entries(byName).reduce(
      (page, [name, table]) => fillIn(page, name, table),
      text,
    )
    return [path, filled] as const
  }),
)

const files: Record<string, string> = {
  ...Object.fromEntries(pages),
  'server/tools/fence.json': renderFence(),
  'renderer/look.css': renderLook(),
  'server/lab/snippets/recipe-code.ts': renderRecipeCode(new URL('test/recipes/', root)),
  'fixtures/fixtures.schema.json': JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...fixturesSchema,
  }),
}

/** Files that the formatter ignores. */
const unformatted = [...Object.keys(tables), 'server/tools/fence.json']

/** Writes the generated files; with `--check` only compares them and fails on a difference. */
async function run(check: boolean): Promise<void> {
  const stale: string[] = []
  for (const [path, text] of Object.entries(files)) {
    const wanted = unformatted.includes(path) ? text : format(path, text)
    const file = new URL(path, root)
    const present = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (present === wanted) continue
    stale.push(path)
    if (!check) await writeFile(file, wanted)
  }
  for (const path of stale) process.stderr.write(`${check ? 'out of date' : 'written'}: ${path}\n`)
  const lacking = [
    ...lackingRuleTests(rules, new URL('test/contract/advice/', root)).map(
      (what) => `${what}, in test/contract/advice`,
    ),
    ...lackingPrograms(appModules, await readMistakes('apps/mistakes.ts')).map(
      (id) => `an app that fails ${id}, in test/helpers/apps/mistakes.ts`,
    ),
    ...lackingPrograms(
      [...receiverModules, ...stormModules],
      await readMistakes('receiver-mistakes.ts'),
    ).map((id) => `a receiver that fails ${id}, in test/helpers/receiver-mistakes.ts`),
  ]
  for (const what of lacking) process.stderr.write(`no test: ${what}\n`)
  if (check && lacking.length > 0) process.exitCode = 1
  if (check && stale.length > 0) {
    process.stderr.write('Run `npm run docs` and commit the result.\n')
    process.exitCode = 1
  }
}

/** Reads all lists of a file. It is imported by its URL, because the server is compiled without its tests. */
async function readMistakes(path: string): Promise<Mistakes[]> {
  const { href } = new URL(`test/helpers/${path}`, root)
  const lists = (await import(href)) as Readonly<Record<string, unknown>>
  return Object.values(lists).filter((list): list is Mistakes => !Array.isArray(list))
}

await run(process.argv.includes('--check'))
