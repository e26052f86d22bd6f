import { pathOf } from '../../core/request-target.ts'
import {
  splitFilter,
  type RequestFilterKey,
  requestFilterKeys,
  unquote,
} from '../../contract/request-filter.ts'
import type { Issue } from '../../core/config-error.ts'
import { parseDuration } from '../../core/duration.ts'
import { fitsPattern } from '../../core/fits-pattern.ts'
import { refuseIssues } from '../../core/refusal.ts'
import { suggestion } from '../../core/suggestion.ts'
import type { Deps } from '../../events/deps.ts'
import { usernames } from '../../state/account-names.ts'
import { nameKey } from '../../state/state.ts'
import { detailOf } from '../drawing/answers.ts'
import { isTouched } from '../drawing/fault-effect.ts'
import { partiesOf } from '../flows/parties.ts'
import type { Flows } from '../flows/flows.ts'
import { isRefused } from '../log/expected.ts'
import type { RequestRecord } from '../log/request-log.ts'

type FilterDeps = Pick<Deps, 'state' | 'clock'> & { flows: Pick<Flows, 'ofRequest'> }
type Test = (record: RequestRecord) => boolean
/** Test, or the reason why the word is invalid. */
type Read = Test | { problem: string }

/** Tests of `is:`. */
const marks = new Map<string, Test>([
  ['refused', isRefused],
  ['broken', isTouched],
])

/**
 * Reads a line such as `status:4xx user:alice last 5m /oauth`. All words must match; a word without a key is searched
 * in method, URL, error and reason. A `-` before a word negates it.
 * @throws {Refusal} `invalid` with all invalid words and suggestions
 */
export function requestFilter(deps: FilterDeps, line: string): Test {
  const issues: Issue[] = []
  const tests: Test[] = []
  for (const word of splitFilter(line)) {
    const isTurned = word.startsWith('-') && word.length > 1
    const read = readWord(deps, isTurned ? word.slice(1) : word)
    if ('problem' in read) issues.push({ path: 'filter', message: read.problem })
    else tests.push(isTurned ? (record) => !read(record) : read)
  }
  refuseIssues(issues)
  return (record) => tests.every((test) => test(record))
}

function readWord(deps: FilterDeps, word: string): Read {
  const last = /^last(?::| |$)(.*)$/.exec(word)
  if (last !== null) return lastTest(deps, last[1] ?? '')
  const [, key = '', value = ''] = /^([A-Za-z_-]+):(.*)$/s.exec(word) ?? []
  // A URL contains a colon, too.
  if (key === '' || value.startsWith('//')) return textTest(unquote(word))
  if (!isKey(key)) {
    const known = [...Object.keys(requestFilterKeys), 'last']
    const hint = suggestion(key, known)
    return {
      problem: `Unknown filter "${key}:"${hint}. Use ${known.join(', ')}, or quote it to search for text.`,
    }
  }
  const wanted = unquote(value)
  if (wanted === '') return { problem: `"${key}:" needs a value: ${requestFilterKeys[key]}.` }
  return readers[key](wanted, deps)
}

const readers: Readonly<Record<RequestFilterKey, (value: string, deps: FilterDeps) => Read>> = {
  status: (value) => {
    if (!/^(?:0|[1-5](?:\d\d|xx))$/i.test(value)) {
      return { problem: `Invalid status "${value}": use ${requestFilterKeys.status}.` }
    }
    return ({ status }) => fitsStatus(status, value)
  },
  method: (value) => {
    const wanted = value.toUpperCase()
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
    return methods.includes(wanted)
      ? ({ method }) => method === wanted
      : { problem: `Unknown method "${value}"${suggestion(wanted, methods)}.` }
  },
  route:
    (value) =>
    ({ url }) =>
      fitsPattern(value, pathOf(url)),
  user: (value, deps) => {
    const user = deps.state.users.find('name', nameKey(value))
    if (user !== undefined) return (record) => partiesOf(deps, record).userId === user.id
    return { problem: `There is no user ${value}${suggestion(value, usernames(deps.state))}.` }
  },
  app: (value, deps) => {
    const apps = [...deps.state.apps.values()]
    const ids = new Set(
      apps.flatMap(({ id, name }) =>
        id === value || name.toLowerCase() === value.toLowerCase() ? [id] : [],
      ),
    )
    const hint = suggestion(value, [...apps.map(({ name }) => name), ...apps.map(({ id }) => id)])
    return ids.size === 0
      ? { problem: `There is no app ${value}${hint}.` }
      : (record) => ids.has(partiesOf(deps, record).clientId ?? '')
  },
  grant:
    (value) =>
    ({ grantType }) =>
      grantType?.includes(value) === true,
  error:
    (value) =>
    ({ error }) =>
      error?.includes(value) === true,
  flow:
    (value, { flows }) =>
    ({ id }) =>
      flows.ofRequest(id)?.id === value,
  is: (value) => {
    const test = marks.get(value)
    return (
      test ?? { problem: `Unknown value "is:${value}"${suggestion(value, [...marks.keys()])}.` }
    )
  },
}

function lastTest({ clock }: FilterDeps, span: string): Read {
  const ms = parseDuration(span)
  if (ms === undefined) {
    return {
      problem: `Invalid time "${`last ${span}`.trim()}": use a duration, e.g. last 5m.`,
    }
  }
  const from = clock.now() - ms
  return ({ at }) => at >= from
}

/** Tests whether the line of a request contains a string. */
export function textTest(text: string): Test {
  const wanted = text.toLowerCase()
  return (record) => {
    const { method, url, error = '' } = record
    const line = `${method} ${url} ${error} ${detailOf(record) ?? ''}`
    return line.toLowerCase().includes(wanted)
  }
}

/** Matches `404`, or `4xx` for the whole class. */
export function fitsStatus(status: number, wanted: string): boolean {
  return wanted.toLowerCase().endsWith('xx')
    ? String(status).length === 3 && String(status).startsWith(wanted.slice(0, 1))
    : String(status) === wanted
}

function isKey(key: string): key is RequestFilterKey {
  return Object.hasOwn(requestFilterKeys, key)
}
