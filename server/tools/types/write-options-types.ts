import { kindOf, schemaOf } from '../../app/config/flag-kind.ts'
import { defaultInWords } from '../../app/config/flag-texts.ts'
import { flagList, type NamedFlag } from '../../contract/flags.ts'

const header = `// Written out from the flags when the package is built.
import type { FixturesFile } from './fixtures-types.js'
`

/** Option without a flag: on the command line, `hub-sandbox clock` moves the clock of a running sandbox. */
const clockProperty = `/** Start of the sandbox clock; takes precedence over \`clock\` in the fixtures. Default: real time. */
clock?: { now?: Date | string; frozen?: boolean }`

/**
 * Renders the TypeScript type of the options of `startSandbox`.
 * @returns source text, not formatted
 */
export function renderOptionsTypes(): string {
  const choices = flagList
    .filter((flag) => kindOf(flag) === 'choice')
    .map(
      (flag) =>
        `/** ${schemaOf(flag).description}. */\nexport type ${choiceName(flag)} = ${valuesOf(flag)}\n`,
    )
  const properties = flagList.flatMap((flag) => [
    `/** ${documentation(flag)} */\n${flag.key}?: ${typesOf(flag).join(' | ')}`,
    ...(flag.key === 'fixtures' ? [clockProperty] : []),
  ])
  return `${header}
${choices.join('\n')}
/**
 * Options of \`startSandbox\`: the flags of the command line in camelCase. All are optional; defaults
 * come from the \`config\` section of the fixtures.
 */
export interface SandboxOptions {
${properties.join('\n')}
}
`
}

/** `logLevel` → `LogLevel` */
function choiceName({ key }: NamedFlag): string {
  return key.charAt(0).toUpperCase() + key.slice(1)
}

function valuesOf(flag: NamedFlag): string {
  return (schemaOf(flag).enum ?? []).map((value) => JSON.stringify(value)).join(' | ')
}

/** Types that can be parsed as the value. */
function typesOf(flag: NamedFlag): string[] {
  switch (kindOf(flag)) {
    case 'switch':
      return ['boolean']
    case 'switch-or-text':
      return ['boolean', 'string']
    case 'integer':
      return ['number']
    case 'choice':
      return [choiceName(flag)]
    case 'list':
      return ['string', 'readonly string[]']
    case 'pairs':
      return ['Readonly<Record<string, string>>', 'string', 'readonly string[]']
    default:
      return ['string', ...(flag.inCode === undefined ? [] : [flag.inCode.title])]
  }
}

function documentation(flag: NamedFlag): string {
  const sentences = [
    `${schemaOf(flag).description}${furtherForms(flag)}`,
    ...(flag.remark === undefined ? [] : [flag.remark]),
    ...defaultsOf(flag),
  ]
  return `${sentences.join('. ')}.`
}

function furtherForms(flag: NamedFlag): string {
  switch (kindOf(flag)) {
    case 'list':
      return '; one or several'
    case 'pairs':
      return `; also as strings \`${flag.placeholder?.toUpperCase()}\``
    case 'switch-or-text':
      return `; \`true\` = ${flag.bare}`
    default:
      return ''
  }
}

/** Default in a program and, if different, on the command line. */
function defaultsOf(flag: NamedFlag): string[] {
  const inProcess = defaultInWords(flag, 'inProcess')
  const commandLine = defaultInWords(flag, 'commandLine')
  if (inProcess === undefined) return []
  const isSame = commandLine === undefined || commandLine === inProcess
  return [`Default: ${inProcess}${isSame ? '' : ` (on the command line ${commandLine})`}`]
}
