import type { FixturesFile } from '../../contract/fixtures-types.ts'
import type { FlowKind } from '../../contract/words/sandbox-words.ts'
import { Refusal } from '../../core/refusal.ts'
import { virtualAddressProblem } from '../../hub/oauth/metadata-document.ts'
import { type DrawingDeps, type DrawingInput } from '../drawing/context.ts'
import { describeMissing } from '../drawing/missing.ts'
import { resultOf } from '../../contract/flow-result.ts'
import { standingOf } from '../drawing/flow-outcome.ts'
import { literal } from './literals.ts'
import { clientIdsOf, fixturesOfFlow } from './test-fixtures.ts'
import { writeClockMove, writeRequest } from './test-requests.ts'
import { createScript, type TestHelper, type TestScript } from './test-script.ts'

/**
 * Exports a vitest file that repeats a sign-in against its own sandbox and expects the same responses. It contains no
 * secrets: codes and tokens are those of the test run, and secrets of apps are replaced.
 * @param fixtures present state
 * @throws {Refusal} `conflict` for a sign-in that cannot be repeated
 */
export function testFileOf(deps: DrawingDeps, input: DrawingInput, fixtures: FixturesFile): string {
  const { flow } = input
  checkRepeatable(deps, input)
  const script = createScript(deps, flow)
  const moves = input.clockMoves.filter(
    ({ happenedMs }) => happenedMs >= (flow.records[0]?.receivedMs ?? 0),
  )
  for (const record of flow.records) {
    while ((moves[0]?.happenedMs ?? Infinity) <= record.receivedMs) {
      writeClockMove(script, moves.shift()?.movedMs ?? 0)
    }
    writeRequest(script, record)
  }
  if (script.lines.length === 0) {
    throw new Refusal('conflict', 'Nothing of this sign-in can be repeated yet: it has only begun.')
  }
  return [
    ...header(deps, flow.kind, script),
    `const fixtures: FixturesFile = ${JSON.stringify(fixturesOfFlow(deps, flow, fixtures), undefined, 2)}`,
    '',
    ...lifecycle(deps),
    '',
    `test(${literal(titleOf(deps, input))}, async () => {`,
    ...script.lines.slice(1),
    '})',
    ...Object.entries(helperCode).flatMap(([name, code]) =>
      script.helpers.has(name as TestHelper) ? ['', code] : [],
    ),
    '',
  ].join('\n')
}

function checkRepeatable(deps: DrawingDeps, { flow }: DrawingInput): void {
  if (flow.kind === 'metadata-document') {
    throw new Refusal(
      'conflict',
      'A test has no network, so it cannot fetch the metadata document of this app.',
    )
  }
  for (const id of clientIdsOf(deps, flow)) {
    if (deps.state.apps.get(id)?.origin !== 'metadata-document') continue
    if (virtualAddressProblem(id) === undefined) continue
    throw new Refusal(
      'conflict',
      `A test has no network, and its fixtures hold metadata documents of https addresses alone, not of ${id}.`,
    )
  }
  const [missing] = describeMissing(deps, { flow })
  if (missing !== undefined) {
    throw new Refusal('conflict', `This sign-in cannot be repeated: ${missing}`)
  }
}

function header(deps: DrawingDeps, kind: FlowKind, { leftOut, helpers }: TestScript): string[] {
  const { version } = deps.settings
  // Input of strangers is a literal here, too, and cannot end the comment.
  const notes = Array.from(leftOut, (what) => `// Not repeated: ${literal(what)}.`)
  return [
    `// Written by hub-sandbox ${version} from a sign-in (${kind}). Run it with vitest.`,
    ...notes,
    ...(helpers.has('pkce') ? ["import { createHash } from 'node:crypto'"] : []),
    "import { afterAll, beforeAll, expect, test } from 'vitest'",
    "import { type FixturesFile, type Sandbox, startSandbox } from 'hub-sandbox'",
    '',
  ]
}

function lifecycle({ settings }: DrawingDeps): string[] {
  const options = settings.strict ? '{ fixtures, strict: true }' : '{ fixtures }'
  return [
    'let sandbox: Sandbox',
    'beforeAll(async () => {',
    `  sandbox = await startSandbox(${options})`,
    '})',
    'afterAll(() => sandbox.close())',
  ]
}

function titleOf(deps: DrawingDeps, { flow }: DrawingInput): string {
  const standing = standingOf(deps, flow)
  const result = resultOf(standing)
  const [first = ''] = standing.explanation.split(/(?<=[.:]) /)
  return `${flow.kind} is ${result}${result === 'refused' ? `: ${first.replace(/[.:]$/, '')}` : ''}`
}

const helperCode: Record<TestHelper, string> = {
  pkce: `// RFC 7636: the app keeps the verifier, and sends the challenge with its request.
const verifier = 'a-verifier-of-the-test-with-enough-characters'
const challenge = createHash('sha256').update(verifier).digest('base64url')`,
  parameters: `/** A repeated parameter has a list. */
type Values = Record<string, string | string[]>

function parametersOf(values: Values): URLSearchParams {
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  )
}`,
  authorize: `/** Parameters of the redirect after the decision of the user. */
async function authorize(answer: object, request: object): Promise<URL> {
  const body = { ...answer, ...request }
  const { redirectTo } = await sandbox.control<{ redirectTo: string }>('POST', 'authorize', body)
  return new URL(redirectTo)
}`,
  open: `/** Authorization request of a browser without a session. */
async function open(request: Values) {
  const query = parametersOf(request).toString()
  const answer = await fetch(\`\${sandbox.url}/oauth/authorize?\${query}\`, { redirect: 'manual' })
  const redirect = new URL(answer.headers.get('location') ?? '', sandbox.url)
  return { status: answer.status, text: await answer.text(), redirect }
}`,
  ask: `interface Input {
  form?: Values
  json?: object
  headers?: Record<string, string>
}

/** Request of the app. */
async function ask(route: string, { form, json, headers = {} }: Input = {}) {
  const [method = '', path = ''] = route.split(' ')
  const sent = new Headers(headers)
  if (json !== undefined) sent.set('content-type', 'application/json')
  const ofForm = form === undefined ? null : parametersOf(form)
  const body = json === undefined ? ofForm : JSON.stringify(json)
  const answer = await fetch(\`\${sandbox.url}\${path}\`, { method, headers: sent, body })
  return { status: answer.status, body: (await answer.json()) as Record<string, any> }
}`,
  basic: `/** Encodes both parts as in a form (RFC 6749 §2.3.1). */
function basic(clientId: string, secret: string): { authorization: string } {
  const encode = (part: string) => new URLSearchParams({ part }).toString().slice('part='.length)
  return { authorization: \`Basic \${btoa(\`\${encode(clientId)}:\${encode(secret)}\`)}\` }
}`,
  bearer: `function bearer(token: string): { authorization: string } {
  return { authorization: \`Bearer \${token}\` }
}`,
  claims: `/** Claims of a JWT, unverified: the sandbox has just signed it. */
function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}`,
}
