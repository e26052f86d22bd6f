import type { Argument, Command } from 'commander'
import type { TSchema } from 'typebox'
import { helpOf } from '../../app/config/flag-texts.ts'
import { flagList } from '../../contract/flags.ts'
import { environmentName, flagName } from '../../core/flag-names.ts'
import type { AuditModule } from '../../lab/audit/app/app-module.ts'
import type { ModuleDescription } from '../../lab/audit/verdict.ts'
import type { Rule } from '../../lab/checks/rule.ts'
import type { Room } from '../rooms.ts'
import type { ControlKey } from '../../contract/control-call.ts'
import type { CoveredFeature, Gap } from './coverage.ts'
import type { HubComparison } from './hub-comparison.ts'
import { routesOf } from './hub-routes.ts'
import type { SampleEntry } from './recipes.ts'

/** The tests are not in the package. */
const repository = 'https://github.com/hub-sandbox/hub-sandbox'

/** Returns the table of commands and their subcommands. */
export function renderCommandTable(program: Command): string {
  const rows = program.commands
    .filter((command) => !command.name().startsWith('_'))
    .map((command) => [
      `\`${[command.name(), ...command.registeredArguments.map(wordOf)].join(' ')}\``,
      command.description(),
      command.commands.map((child) => `\`${child.name()}\``).join(', '),
    ])
  return markdownTable(['Command', 'Description', 'Subcommands'], rows)
}

function wordOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

/** Returns the table of the flags of `start`. */
export function renderFlagTable(): string {
  const rows = flagList.map((flag) => [
    `\`${[flagName(flag.key), flag.placeholder].filter(Boolean).join(' ')}\``,
    `\`${environmentName(flag.key)}\``,
    flag.neverFromFile === undefined ? `\`config.${flag.key}\`` : '',
    helpOf(flag),
  ])
  return markdownTable(['Flag', 'Environment variable', 'Fixtures key', 'Description'], rows)
}

/** Returns the table of emulated features: specification, routes, status and tests. */
export function renderCoverageTable(features: readonly CoveredFeature[]): string {
  const rows = features.map(({ name, by, feature, status, note = '', tests }) => [
    name,
    by,
    routesOf(feature)
      .map((route) => `\`${route}\``)
      .join('<br>'),
    status,
    note,
    tests.map((path) => `[${testName(path)}](${repository}/blob/main/test/${path})`).join('<br>'),
  ])
  return markdownTable(['Feature', 'Specification', 'Routes', 'Status', 'Notes', 'Tests'], rows)
}

/** Returns the sentence that counts the operations of the OpenAPI document of the Hub. */
export function renderHubCount({ month, operations, emulated, onPurpose }: HubComparison): string {
  return [
    `The sandbox handles ${emulated} of the ${operations} operations in the Hub's own OpenAPI document (${month}), and others that its clients call;`,
    `${onPurpose} of their parameters and members differ on purpose.`,
    '`hub-sandbox drift --all --openapi https://huggingface.co/.well-known/openapi.json` lists them with the reason of each.',
  ].join(' ')
}

function testName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(test|spec)\.ts$/, '')
}

/** Returns the table of the control API: method, path, purpose and parameters. */
export function renderControlTable(
  api: Readonly<Record<string, { summary: string; query?: TSchema; body?: TSchema }>>,
): string {
  const rows = Object.entries(api).map(([route, { summary, query, body }]) => [
    `\`${route.replaceAll(/:(\w+)/g, '{$1}')}\``,
    summary,
    [...formsOf(query), ...formsOf(body)].join('<br>or '),
  ])
  return markdownTable(['Route', 'Description', 'Parameters'], rows)
}

/** Returns the names of the parameters of each form that a request can have; `?` marks the optional ones. */
function formsOf(schema: TSchema | undefined): string[] {
  const { anyOf, allOf, properties, required = [] } = (schema ?? {}) as ObjectSchema
  if (anyOf !== undefined) return anyOf.flatMap(formsOf)
  const parts = (allOf ?? []).map((part) => formsOf(part).join(', '))
  const names = Object.keys(properties ?? {}).map(
    (name) => `\`${name}${required.includes(name) ? '' : '?'}\``,
  )
  const form = [...parts, ...names].join(', ')
  return form === '' ? [] : [form]
}

/** The keywords of JSON Schema that a request of the control API uses to list its parameters. */
interface ObjectSchema {
  anyOf?: TSchema[]
  allOf?: TSchema[]
  properties?: Record<string, TSchema>
  required?: string[]
}

/** Returns the table of features of the Hub that the sandbox lacks. */
export function renderGapTable(gaps: readonly Gap[]): string {
  const rows = gaps.map(({ name, requests, note }) => [
    name,
    Object.entries(requests)
      .map(([request, status]) => `\`${request}\`: ${status}`)
      .join('<br>'),
    note,
  ])
  return markdownTable(['Feature', 'Example request and response', 'Notes'], rows)
}

/** Returns the table of the folders of the server, from the top down. */
export function renderRoomTable(rooms: readonly Room[]): string {
  const rows = rooms.map(({ name, holds }) => [`[${name}](${name})`, holds])
  return markdownTable(['Folder', 'Contents'], rows)
}

/** Returns the table of the checks: id, level, mistake and source. */
export function renderRuleTable(rules: readonly Rule[]): string {
  const rows = rules.map(({ id, level, certainty, title, sources }) => [
    `\`${id}\``,
    certainty === 'likely' ? `${level}, likely` : level,
    title,
    sources.map(({ name, section, url }) => `[${name}, ${section}](${url})`).join('<br>'),
  ])
  return markdownTable(['Check', 'Level', 'Mistake', 'Source'], rows)
}

/** Returns the table of the modules of an audit. */
export function renderModuleTable(modules: readonly ModuleDescription[]): string {
  const rows = modules.map(({ id, plans, sends, expected, level, needs }) => [
    `\`${id}\``,
    plans.join(', ') || 'storm',
    sends,
    expected,
    level,
    needs ?? '',
  ])
  return markdownTable(['Module', 'Plan', 'Sends', 'Expected', 'Level', 'Needs'], rows)
}

/** Returns the table of the modules of the app audit, with what a standard tolerates and where it is written. */
export function renderAppModuleTable(modules: readonly AuditModule[]): string {
  const rows = modules.map(({ id, plan, oidf, level, title, expected, tolerated, ...module }) => [
    `\`${id}\``,
    [plan, ...(oidf === undefined ? [] : [`\`${oidf}\``])].join('<br>'),
    `${title}${module.needsProbe === true ? ' (needs `signedIn`)' : ''}`,
    [expected, ...(tolerated === undefined ? [] : [`Tolerated: ${tolerated}`])].join('<br>'),
    level,
    module.sources.map(({ name, section, url }) => `[${name}, ${section}](${url})`).join('<br>'),
  ])
  return markdownTable(['Module', 'Plan', 'Sandbox', 'App', 'Level', 'Source'], rows)
}

/** Returns the table of the samples of one kind: question and code. */
export function renderSampleTable(samples: readonly SampleEntry[], wanted: string): string {
  const rows = samples
    .filter(({ kind }) => kind === wanted)
    .map(({ question, folder, kind }) => [question, `[${folder}](../${kind}/${folder}/)`])
  return markdownTable(['Question', 'Code'], rows)
}

/** Formats rows as a Markdown table. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
export function fillIn(document: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = document.indexOf(start)
  const to = document.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the document has no place for ${name}`)
  return `${document.slice(0, from + start.length)}\n\n${content}\n\n${document.slice(to)}`
}

/** Returns the tools for agents with the endpoints that they call. */
export function renderAgentTools(tools: Readonly<Record<string, { key: ControlKey }>>): string {
  return markdownTable(
    ['Tool', 'Endpoint of the control API'],
    Object.entries(tools).map(([name, { key }]) => [`\`${name}\``, `\`${key}\``]),
  )
}
