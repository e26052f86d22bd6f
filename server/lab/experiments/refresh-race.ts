import type { Verdict } from '../../contract/control-experiments.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { RealTime } from '../../core/real-time.ts'
import type { Deps } from '../../hub/deps.ts'
import { formOf } from '../../inspect/drawing/exchanges.ts'
import type { RequestLog, RequestRecord } from '../../inspect/log/request-log.ts'
import type { Barriers } from '../faults/barriers.ts'
import { words } from './words.ts'

/** Experiment that holds two refreshes of one token and releases them together. */
export interface RaceExperiment {
  id: string
  title: string
  expected: string
  /** Whether the second refresh gets tokens, too, as from servers with a grace period. */
  hasGrace: boolean
}

export const raceExperiments: readonly RaceExperiment[] = [
  {
    id: 'refresh-race',
    title: 'Two refreshes at once',
    expected: words.refreshesOnce,
    hasGrace: false,
  },
  {
    id: 'refresh-race-grace',
    title: 'Two refreshes at once within a grace period',
    expected: words.survivesGrace,
    hasGrace: true,
  },
]

export interface RefreshRaces {
  run(experiment: RaceExperiment, clientId: string | undefined): void
  verdictOf(experiment: RaceExperiment): Verdict | undefined
  stop(experiment: RaceExperiment): void
  /** Forgets all, after the barriers were removed. */
  clear(): void
}

interface RaceDeps extends Pick<Deps, 'state' | 'bus'> {
  barriers: Pick<Barriers, 'add' | 'release' | 'get'>
  requests: Pick<RequestLog, 'get' | 'values' | 'flows'>
}

interface Run {
  hasGrace: boolean
  /** Each holds one request. */
  barriers: readonly [string, string]
  /** Requests in the order in which they were held. */
  held: string[]
  verdict: Verdict
  cancel?: () => void
}

/** Real time for which the first refresh waits for a second one. */
const holdMs = 3000
/** Real time after it in which a process that waited for its turn would have sent the old token. */
const watchMs = 3000

export function createRefreshRaces(
  { state, bus, barriers, requests }: RaceDeps,
  realTime: Pick<RealTime, 'after'>,
): RefreshRaces {
  const runs = new Map<string, Run>()
  const runOf = (isIt: (run: Run) => boolean) => [...runs.values()].find(isIt)

  bus.on('barrier.held', ({ data: { barrierId, requestId } }) => {
    const run = runOf((one) => one.barriers.includes(barrierId))
    if (run === undefined) return
    run.held.push(requestId)
    run.verdict = { state: 'watching', text: words.holdingRefresh }
    run.cancel?.()
    if (run.held.length < 2) run.cancel = realTime.after(holdMs, () => releaseAll(run))
    else if (run.hasGrace) release(run.barriers[0])
    else releaseAll(run)
  })
  bus.on('barrier.left', ({ data: { barrierId, requestId } }) => {
    const run = runOf((one) => one.barriers.includes(barrierId))
    if (run === undefined) return
    run.held = run.held.filter((id) => id !== requestId)
    if (run.held.length > 0) return
    run.cancel?.()
    run.verdict = { state: 'armed', text: words.waitingForRefreshes }
  })
  bus.on('request.completed', ({ data: { id } }) => {
    const run = runOf(({ held }) => held.includes(id))
    if (run === undefined) return
    const [first, second] = run.held.map((held) => requests.get(held))
    if (first !== undefined && second !== undefined) judgeBoth(run, first, second)
    else if (first !== undefined && run.held.length === 2 && run.hasGrace) letBothIn(run, first)
    else if (run.held.length === 1) run.cancel = realTime.after(watchMs, () => judgeOne(run, id))
  })

  function release(barrierId: string): void {
    if (barriers.get(barrierId) !== undefined) barriers.release(barrierId)
  }

  function releaseAll(run: Run): void {
    for (const barrier of run.barriers) release(barrier)
  }

  /** A server with a grace period accepts the token that it has just replaced once more. */
  function letBothIn(run: Run, first: RequestRecord): void {
    const token = state.refreshTokens.get(tokenOf(first))
    if (token !== undefined) {
      const { usedAt: _usedAt, ...unused } = token
      state.refreshTokens.put(unused)
    }
    release(run.barriers[1])
  }

  function judgeBoth(run: Run, first: RequestRecord, second: RequestRecord): void {
    const { familyId } = state.refreshTokens.get(tokenOf(first)) ?? {}
    const names = [nameOf(first), nameOf(second)] as const
    const isOneToken = tokenOf(first) === tokenOf(second)
    if (!isOneToken) {
      const used = state.refreshTokens.get(tokenOf(first))
      if (used !== undefined) state.refreshTokens.put({ ...used, usedAt: first.endedAt })
      return conclude(run, first, 'unclear', words.twoSignIns)
    }
    if (run.hasGrace && second.status === 200) {
      return conclude(run, first, 'passed', words.survivedGrace(...names))
    }
    if (first.status !== 200 && second.status !== 200) {
      return conclude(run, first, 'unclear', words.bothRefused(first.error ?? String(first.status)))
    }
    const [winner, loser] = first.status === 200 ? names : [names[1], names[0]]
    const isRevoked =
      familyId !== undefined &&
      state.refreshTokens
        .group('family', familyId)
        .every(({ revokedAt, usedAt }) => revokedAt !== undefined || usedAt !== undefined)
    conclude(run, first, 'failed', words.raced(winner, loser, isRevoked))
  }

  /** The app held its other processes back, or has one only. */
  function judgeOne(run: Run, id: string): void {
    const only = requests.get(id)
    if (only === undefined) return
    if (only.status !== 200) {
      return conclude(run, only, 'unclear', words.bothRefused(only.error ?? String(only.status)))
    }
    const again = requests
      .values()
      .find((one) => one.id !== id && isRefresh(one) && tokenOf(one) === tokenOf(only))
    if (again === undefined) conclude(run, only, 'passed', words.refreshedOnce)
    else conclude(run, only, 'failed', words.sentOldToken(nameOf(again)))
  }

  function conclude(run: Run, { id }: RequestRecord, state: Verdict['state'], text: string): void {
    run.cancel?.()
    releaseAll(run)
    run.verdict = { state, text, ...omitUndefined({ flowId: requests.flows.ofRequest(id)?.id }) }
    run.held = []
  }

  function stop({ id }: RaceExperiment): void {
    const run = runs.get(id)
    runs.delete(id)
    if (run === undefined) return
    run.cancel?.()
    releaseAll(run)
  }

  return {
    run(experiment, clientId) {
      // Both hold refreshes, so one would take the requests of the other. A verdict stays until its experiment runs again.
      for (const one of raceExperiments) {
        if (one.id === experiment.id || !hasEnded(runs.get(one.id))) stop(one)
      }
      const match = {
        route: '/oauth/token',
        grantType: 'refresh_token',
        ...omitUndefined({ clientId }),
      }
      const hold = () => barriers.add({ match, count: 1 }).id
      runs.set(experiment.id, {
        hasGrace: experiment.hasGrace,
        barriers: [hold(), hold()],
        held: [],
        verdict: { state: 'armed', text: words.waitingForRefreshes },
      })
    },
    verdictOf: ({ id }) => runs.get(id)?.verdict,
    stop,
    clear() {
      for (const { cancel } of runs.values()) cancel?.()
      runs.clear()
    },
  }
}

function hasEnded(run: Run | undefined): boolean {
  return run !== undefined && run.verdict.state !== 'armed' && run.verdict.state !== 'watching'
}

function tokenOf(record: RequestRecord): string {
  return formOf(record).get('refresh_token') ?? ''
}

function isRefresh({ grantType }: RequestRecord): boolean {
  return grantType === 'refresh_token'
}

/** Returns the id and program of a request, which distinguish two processes. */
function nameOf({ id, request }: RequestRecord): string {
  const agent = request.headers['user-agent']
  return agent === undefined ? id : `${id} (${agent.slice(0, 60)})`
}
