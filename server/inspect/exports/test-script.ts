import type { DrawingDeps } from '../drawing/context.ts'
import { recordPath } from '../drawing/exchanges.ts'
import { jsonOf, textMember } from '../details/json-body.ts'
import type { Flow } from '../flows/flows.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { literal, object, parameterObject } from './literals.ts'
import { valueWithoutSecrets } from './test-fixtures.ts'
import { headersCode, valueCode } from './test-values.ts'

/** Functions that the lines of a test may call. */
export type TestHelper =
  | 'ask'
  | 'authorize'
  | 'basic'
  | 'bearer'
  | 'claims'
  | 'open'
  | 'parameters'
  | 'pkce'

/** Test that is being written. */
export interface TestScript {
  readonly deps: DrawingDeps
  readonly flow: Flow
  readonly lines: string[]
  readonly helpers: Set<TestHelper>
  /** Reasons why parts are not repeated. */
  readonly leftOut: Set<string>
  /** Values of responses, each with the code that has its counterpart in the test. */
  readonly given: Map<string, string>
  readonly counts: Map<string, number>
  /** Error of the poll before. */
  lastPoll?: string | undefined
}

export function createScript(deps: DrawingDeps, flow: Flow): TestScript {
  return {
    deps,
    flow,
    lines: [],
    helpers: new Set(),
    leftOut: new Set(),
    given: new Map(),
    counts: new Map(),
  }
}

/** A variable that the test has not yet: `tokens`, `tokens2`. */
export function newName({ counts }: TestScript, kind: string): string {
  const count = (counts.get(kind) ?? 0) + 1
  counts.set(kind, count)
  return count === 1 ? kind : `${kind}${count}`
}

/**
 * Writes a request of a program, and a check that the response is the same.
 * @returns the variable of the response
 */
export function writeAsk(script: TestScript, kind: string, record: RequestRecord): string {
  script.helpers.add('ask').add('parameters')
  const body = bodyCode(script, record)
  const headers = headersCode(script, record)
  const members = [
    ...(body === undefined ? [] : [body]),
    ...(headers === undefined ? [] : [`headers: ${headers}`]),
  ]
  const input = members.length === 0 ? '' : `, { ${members.join(', ')} }`
  const variable = newName(script, kind)
  const path = literal(`${record.method} ${recordPath(record)}`)
  const error = textMember(record.response.body, 'error')
  const answered = error === undefined ? '' : `, body: { error: ${literal(error)} }`
  script.lines.push(
    '',
    `  const ${variable} = await ask(${path}${input})`,
    `  expect(${variable}).toMatchObject({ status: ${record.status}${answered} })`,
  )
  return variable
}

/** Records the values of a response, so that later requests send those of the test. */
export function noteGiven(
  { given }: TestScript,
  record: RequestRecord,
  variable: string,
  members: readonly string[],
): void {
  for (const member of members) {
    const value = textMember(record.response.body, member)
    if (value !== undefined) given.set(value, `${variable}.body.${member}`)
  }
}

export function expectMembers(
  { lines }: TestScript,
  code: string,
  members: readonly (readonly [string, unknown])[],
): void {
  const known = members.filter(([, value]) => value !== undefined)
  if (known.length === 0) return
  const codes = known.map(([name, value]) => [name, literal(valueWithoutSecrets(value))] as const)
  lines.push(`  expect(${code}).toMatchObject(${object(codes)})`)
}

function bodyCode(script: TestScript, { request }: RequestRecord): string | undefined {
  const { body } = request
  const members = body instanceof URLSearchParams ? [...body] : Object.entries(jsonOf(body) ?? {})
  if (members.length === 0) return undefined
  const codes = members.map(
    ([name, value]) =>
      [
        name,
        typeof value === 'string'
          ? valueCode(script, name, value)
          : literal(valueWithoutSecrets(value)),
      ] as const,
  )
  return body instanceof URLSearchParams
    ? `form: ${parameterObject(codes)}`
    : `json: ${object(codes)}`
}
