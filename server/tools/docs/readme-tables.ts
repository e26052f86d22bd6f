import { helpOf } from '../../config/flag-texts.ts'
import { flagList } from '../../contract/flags.ts'
import { environmentName, flagName } from '../../core/flag-names.ts'
import type { Room } from '../rooms.ts'
import type { CoveredFeature, Gap } from './coverage.ts'
import type { RecipeEntry } from './recipes.ts'

/** The flags of `start`, as a Markdown table. */
export function renderFlagTable(): string {
  const rows = flagList.map((flag) => [
    `\`${[flagName(flag.key), flag.placeholder].filter(Boolean).join(' ')}\``,
    `\`${environmentName(flag.key)}\``,
    flag.neverFromFile === undefined ? `\`config.${flag.key}\`` : '',
    helpOf(flag),
  ])
  return markdownTable(['Flag', 'Variable', 'Fixtures', 'Is'], rows)
}

/** What is emulated, by whose rules, where, and which tests say so. */
export function renderCoverageTable(features: readonly CoveredFeature[]): string {
  const rows = features.map(({ name, by, routes, status, note = '', tests }) => [
    name,
    by,
    routes.map((route) => `\`${route}\``).join('<br>'),
    status,
    note,
    tests.map((path) => `[${testName(path)}](test/${path})`).join('<br>'),
  ])
  return markdownTable(['What', 'By', 'Routes', 'Status', 'Remarks', 'Tests'], rows)
}

function testName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(test|spec)\.ts$/, '')
}

/** What the hub has and the sandbox has not. */
export function renderGapTable(gaps: readonly Gap[]): string {
  const rows = gaps.map(({ name, requests, note }) => [
    name,
    Object.entries(requests)
      .map(([request, status]) => `\`${request}\`: ${status}`)
      .join('<br>'),
    note,
  ])
  return markdownTable(['What', 'For example, and the answer', 'Remarks'], rows)
}

/** The rooms of the server from the top down. */
export function renderRoomTable(rooms: readonly Room[]): string {
  const rows = rooms.map(({ name, holds }) => [`\`server/${name}\``, holds])
  return markdownTable(['Room', 'Holds'], rows)
}

/** What users ask, and the code that answers. */
export function renderRecipeTable(recipes: readonly RecipeEntry[]): string {
  const rows = recipes.map(({ question, folder }) => [
    question,
    `[${folder}](test/recipes/${folder}/)`,
    `[test](test/recipes/${folder}.test.ts)`,
  ])
  return markdownTable(['Question', 'Code', 'Run by'], rows)
}

/** A Markdown table. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
export function fillIn(document: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = document.indexOf(start)
  const to = document.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the document has no place for ${name}`)
  return `${document.slice(0, from + start.length)}\n\n${content}\n\n${document.slice(to)}`
}
