import { isoTime } from '../../core/time.ts'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { AddFaultRequest, FaultItem } from '../../contract/control-faults.ts'
import { messageOf } from '../../core/background.ts'
import type { Deps } from '../../hub/deps.ts'
import { parseDuration } from '../../contract/durations.ts'
import { findPathIssues } from '../../core/payload-path.ts'
import type { Issue } from '../../core/config-error.ts'
import { refuseIssues } from '../../core/refusal.ts'
import type { AppFlow } from './flow-of-request.ts'
import { canApply, matches, type Subject } from './matching.ts'

/** Rules that change responses. They end with the process. */
export interface Faults {
  readonly size: number
  /**
   * @param experiment whose rule it is; other rules apply to every request
   * @throws {Refusal} `invalid` for a rule without effect, or with a contradiction
   */
  add(request: AddFaultRequest, experiment?: ExperimentOfRule): FaultItem
  list(): FaultItem[]
  get(id: string): FaultItem | undefined
  remove(id: string): boolean
  clear(): void
  /** Binds all rules that wait for the next sign-in of an app to the one that has begun. */
  beginFlow(flow: AppFlow): void
  /** Returns the first rule that matches and is not used up, and counts the hit. */
  take(subject: Subject): FaultItem | undefined
}

export interface ExperimentOfRule {
  id: string
  /** Whether a demo plays the app. */
  isPlayed: boolean
}

export function createFaults({ clock, ids, bus }: Pick<Deps, 'clock' | 'ids' | 'bus'>): Faults {
  const rules = new Map<string, FaultItem>()
  /** The sign-in that each bound rule matches, by the id of the rule. */
  const families = new Map<string, string>()
  /** The experiment of each rule that belongs to one, by the id of the rule. */
  const experiments = new Map<string, ExperimentOfRule>()
  const factOf = ({ id, match }: FaultItem) => ({ faultId: id, match })

  function isOfFlow({ id, match }: FaultItem, subject: Subject): boolean {
    if (match.flow === undefined) return subject.kind === 'delivery' || !subject.isDeviceCode
    const familyId = subject.kind === 'request' ? subject.familyId : undefined
    return familyId !== undefined && families.get(id) === familyId
  }

  /** Experiments that run at once do not take each other's responses: each has its demo, or its app. */
  function isOfExperiment(rule: FaultItem, subject: Subject): boolean {
    const experiment = experiments.get(rule.id)
    if (experiment === undefined || subject.kind === 'delivery') return true
    const { playedFor, clientId } = subject
    if (experiment.isPlayed || playedFor !== undefined) {
      return experiment.isPlayed && experiment.id === playedFor
    }
    if (rule.match.clientId !== undefined || clientId === undefined) return true
    // An app that another experiment names is not "any app".
    return !Array.from(rules.values()).some(
      (other) =>
        other.match.clientId === clientId &&
        experiments.get(other.id)?.isPlayed === false &&
        !isUsedUp(other) &&
        matches(other.match, subject) &&
        canApply(other, subject),
    )
  }

  return {
    get size() {
      return rules.size
    },
    add(request, experiment) {
      refuseIssues(findIssues(request))
      const rule: FaultItem = {
        id: ids.of('fault').objectId(),
        ...request,
        hits: 0,
        matches: 0,
        createdAt: isoTime(clock.now()),
      }
      rules.set(rule.id, rule)
      if (experiment !== undefined) experiments.set(rule.id, experiment)
      bus.emit('fault.added', factOf(rule))
      return rule
    },
    list: () => [...rules.values()],
    get: (id) => rules.get(id),
    remove(id) {
      const rule = rules.get(id)
      if (rule === undefined) return false
      rules.delete(id)
      families.delete(id)
      experiments.delete(id)
      bus.emit('fault.removed', factOf(rule))
      return true
    },
    clear() {
      const removed = [...rules.values()]
      rules.clear()
      families.clear()
      experiments.clear()
      for (const rule of removed) bus.emit('fault.removed', factOf(rule))
    },
    beginFlow({ clientId, familyId }) {
      for (const rule of rules.values()) {
        const { flow, clientId: wanted } = rule.match
        if (flow === undefined || wanted !== clientId || families.has(rule.id)) continue
        families.set(rule.id, familyId)
        rules.set(rule.id, { ...rule, boundAt: isoTime(clock.now()) })
      }
    },
    take(subject) {
      for (const rule of rules.values()) {
        if (!matches(rule.match, subject) || !isOfFlow(rule, subject)) continue
        if (!canApply(rule, subject)) continue
        if (isUsedUp(rule) || !isOfExperiment(rule, subject)) continue
        const seen = { ...rule, matches: rule.matches + 1 }
        const isLetThrough = seen.matches <= (rule.skip ?? 0)
        const next = isLetThrough ? seen : { ...seen, hits: rule.hits + 1 }
        rules.set(rule.id, next)
        const fact = factOf(next)
        if (isLetThrough) {
          bus.emit('fault.passed', { ...fact, matches: next.matches })
          continue
        }
        bus.emit('fault.hit', { ...fact, hits: next.hits, ...hitsLeft(next) })
        return next
      }
      return undefined
    },
  }
}

export function isUsedUp({ times, hits }: FaultItem): boolean {
  return times !== undefined && hits >= times
}

/** Returns how many responses the rule will still change; absent = no limit. */
export function hitsLeft({ times, hits }: FaultItem): { left?: number } {
  return times === undefined ? {} : { left: times - hits }
}

const effects = [
  'delay',
  'status',
  'oauthError',
  'headers',
  'body',
  'set',
  'remove',
  'idToken',
  'lengthen',
  'redirect',
  'ciDrill',
  'break',
] as const

function findIssues(request: AddFaultRequest): Issue[] {
  const { set = {}, remove = [] } = request
  const issues = findPathIssues({ overrides: set, remove }, { overrides: 'set', remove: 'remove' })
  const given = effects.filter((effect) => request[effect] !== undefined)
  if (given.length === 0) {
    issues.push({ path: '', message: `The rule has no effect: add one of ${effects.join(', ')}.` })
  }
  if (request.delay !== undefined && parseDuration(request.delay) === undefined) {
    issues.push({
      path: 'delay',
      message: `Invalid duration ${request.delay}: use for example 250ms or 2s.`,
    })
  }
  if (request.body !== undefined && request.oauthError !== undefined) {
    issues.push({ path: 'body', message: 'oauthError sets the body: leave one of them out.' })
  }
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const message = headerProblem(name, value)
    if (message !== undefined) issues.push({ path: `headers.${name}`, message })
  }
  issues.push(...redirectIssues(request, given), ...idTokenIssues(request), ...flowIssues(request))
  if (request.match.webhookId !== undefined) {
    for (const effect of given) {
      if (effect === 'delay' || effect === 'status' || effect === 'break') continue
      issues.push({
        path: effect,
        message: 'A rule for deliveries only supports delay, status and break.',
      })
    }
    const { status = 0 } = request
    if (status >= 200 && status < 300) {
      const message = `${status} means success: use a status outside 2xx.`
      issues.push({ path: 'status', message })
    }
    for (const field of ['route', 'method', 'clientId', 'grantType', 'flow'] as const) {
      if (request.match[field] === undefined) continue
      issues.push({
        path: `match.${field}`,
        message: 'A rule matches either deliveries (webhookId) or requests, not both.',
      })
    }
  }
  return issues
}

/** A redirect has no body, and only its parameters can be changed. */
function redirectIssues({ redirect }: AddFaultRequest, given: readonly string[]): Issue[] {
  if (redirect === undefined) return []
  const { set = {}, remove = [], codeLength, scope } = redirect
  const issues = given
    .filter((effect) => !['redirect', 'delay', 'headers'].includes(effect))
    .map((path) => ({
      path,
      message: 'A rule with redirect only supports delay and headers, too.',
    }))
  const isEmpty = Object.keys(set).length === 0 && remove.length === 0
  if (isEmpty && codeLength === undefined && scope === undefined) {
    issues.push({
      path: 'redirect',
      message: 'Name a parameter in set or remove, or add codeLength or scope.',
    })
  }
  return issues
}

function idTokenIssues({ idToken }: AddFaultRequest): Issue[] {
  const { kid, breakSignature, header, sign } = idToken ?? {}
  const issues: Issue[] = []
  if (kid !== undefined && header?.kid === null) {
    issues.push({ path: 'idToken.kid', message: 'header.kid removes it: leave one of them out.' })
  }
  if (breakSignature === true && sign !== undefined && sign !== 'broken') {
    const message = 'It contradicts sign: leave one of them out.'
    issues.push({ path: 'idToken.breakSignature', message })
  }
  return issues
}

/** Requests name their app before their sign-in begins, so a rule for the next sign-in needs the app. */
function flowIssues({ match }: AddFaultRequest): Issue[] {
  if (match.flow === undefined || match.clientId !== undefined) return []
  return [{ path: 'match.clientId', message: 'match.flow needs the app: add its client id.' }]
}

/** Returns why a header cannot be sent (RFC 9110 §5.1, §5.5). */
function headerProblem(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch (error) {
    return `${messageOf(error)}.`
  }
  return undefined
}
