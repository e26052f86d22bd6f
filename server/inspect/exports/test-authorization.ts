import { endingOf } from '../drawing/request-ending.ts'
import { redirectOf } from '../log/request-reason.ts'
import { isStandIn, queryOf } from '../drawing/exchanges.ts'
import { partiesOfAll } from '../flows/parties.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { literal, object, parameterObject } from './literals.ts'
import { newName, type TestScript } from './test-script.ts'
import { valueCode } from './test-values.ts'

/** Writes an authorization request that ended; redirects to pages of the hub are left out. */
export function writeAuthorization(script: TestScript, record: RequestRecord): void {
  const parameters = [...queryOf(record)]
    .filter(([name, value]) => name !== 'signed_in' && value !== '')
    .map(([name, value]) => [name, valueCode(script, name, value)] as const)
  const target = redirectOf(record)
  if (target?.has('code') === true || target?.has('error') === true) {
    writeRedirect(script, record, { target, request: parameterObject(parameters) })
  } else if (endingOf(record).outcome === 'refused') {
    writeErrorPage(script, record, parameterObject(parameters))
  }
}

function writeRedirect(
  script: TestScript,
  record: RequestRecord,
  { target, request }: { target: URLSearchParams; request: string },
): void {
  const { lines, helpers, given } = script
  const code = target.get('code')
  const variable = newName(script, 'redirect')
  if (code !== null || isSignedIn(record)) {
    helpers.add('authorize')
    const answer = literal(answerOf(script, record, code ?? ''))
    lines.push('', `  const ${variable} = await authorize(${answer}, ${request})`)
  } else {
    helpers.add('open').add('parameters')
    lines.push('', `  const { redirect: ${variable} } = await open(${request})`)
  }
  const parts = ['error', 'state', 'code'].flatMap((name) => {
    const value = target.get(name)
    return value === null ? [] : [[name, partCode(script, name, value)] as const]
  })
  const found = `Object.fromEntries(${variable}.searchParams)`
  lines.push(`  expect(${found}).toMatchObject(${object(parts)})`)
  if (code === null) return
  const codeName = newName(script, 'code')
  given.set(code, codeName)
  lines.push(`  const ${codeName} = ${variable}.searchParams.get('code') ?? ''`)
}

function partCode(script: TestScript, name: string, value: string): string {
  return name === 'code' ? 'expect.any(String)' : valueCode(script, name, value)
}

function writeErrorPage(script: TestScript, record: RequestRecord, request: string): void {
  const { lines, helpers } = script
  helpers.add('open').add('parameters')
  const variable = newName(script, 'page')
  lines.push('', `  const ${variable} = await open(${request})`)
  lines.push(`  expect(${variable}.status).toBe(${record.status})`)
  // The page shows it without the underscore.
  const word = record.error?.replace('invalid_redirect_uri', 'invalid redirect_uri') ?? ''
  if (word !== '' && !word.startsWith('http_')) {
    lines.push(`  expect(${variable}.text).toContain(${literal(word)})`)
  }
}

/** Checks whether a user decided, rather than the hub. */
function isSignedIn(record: RequestRecord): boolean {
  return (
    record.method === 'POST' || isStandIn(record) || record.request.headers.cookie !== undefined
  )
}

function answerOf({ deps, flow }: TestScript, record: RequestRecord, code: string) {
  const { state } = deps
  const known = state.codes.get(code)
  const userId = known?.userId ?? record.userId ?? partiesOfAll(deps, flow.records).userId
  const organizations = (known?.organizationIds ?? []).flatMap(
    (id) => state.organizations.get(id)?.name ?? [],
  )
  const isDenied = redirectOf(record)?.get('error') === 'access_denied'
  return {
    user: (state.users.get(userId ?? '') ?? state.users.first())?.username ?? '',
    ...(isDenied ? { decision: 'deny' } : {}),
    ...(organizations.length === 0 ? {} : { organizations }),
  }
}
