import type {
  ExperimentItem,
  RunExperimentRequest,
  Verdict,
} from '../../contract/control-experiments.ts'
import type { RequestItem } from '../../contract/control-requests.ts'
import type { DemoKind } from '../../contract/words/sandbox-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { RealTime } from '../../core/real-time.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../../hub/deps.ts'
import type { WebhookEngine } from '../../hub/webhooks/engine/engine.ts'
import type { DemoStage } from '../demos/held-demo.ts'
import { type Faults, isUsedUp } from '../faults/faults.ts'
import { playedExperiment } from '../faults/played-experiment.ts'
import { type Experiment, experiments, ruleOf } from './experiments.ts'
import type { Barriers } from '../faults/barriers.ts'
import type { RequestLog } from '../../inspect/log/request-log.ts'
import { judgeExperiment } from './judge-experiment.ts'
import { createRefreshRaces, type RaceExperiment, raceExperiments } from './refresh-race.ts'
import { words } from './words.ts'
import { judgeReceiver, type ReceiverExperiment, receiverExperiments } from './receivers.ts'

/** Experiments with the user's apps and receivers. A running one with an app is known by its fault rule. */
export interface Experiments {
  list(): ExperimentItem[]
  /**
   * Returns one experiment. A followed run stays armed as long as it is read.
   * @throws {Refusal} `not_found`
   */
  get(id: string): ExperimentItem
  /** @throws {Refusal} `not_found`; `conflict` for a receiver without deliveries */
  run(id: string, request: RunExperimentRequest): Promise<ExperimentItem>
  /** @throws {Refusal} `not_found` */
  stop(id: string): void
}

interface ExperimentDeps extends Pick<Deps, 'state' | 'bus' | 'settings'> {
  faults: Faults
  barriers: Barriers
  requests: RequestLog
  engine: Pick<WebhookEngine, 'replay' | 'replayMany'>
}

interface Options {
  realTime: Pick<RealTime, 'after'>
  /** Requests in the log, newest first. */
  requests: () => LoggedRequest[]
  /** Plays the demo app, which sends its requests by the given function. */
  play: (kind: DemoKind, around: (send: Send) => Send) => Promise<unknown>
}

type Send = DemoStage['send']

/** Request of the log, with the id in its response. */
interface LoggedRequest extends RequestItem {
  responseId: string
}

/** Number of requests of demos that are kept apart; older ones have left the time of every experiment. */
const mostPlayed = 1000

/** Real time after the fault in which an app would have gone on. */
const watchMs = 6000
/** Real time without a reader after which a followed run is stopped. */
const longestSilenceMs = 10_000

export function createExperiments(
  deps: ExperimentDeps,
  { realTime, requests, play }: Options,
): Experiments {
  const { faults, bus } = deps
  /** Rules whose apps have had their time to react. */
  const isOver = new Set<string>()
  const verdicts = new Map<string, Verdict>()
  /** Followed runs, each with a function that ends the time within which it has to be read. */
  const followed = new Map<string, () => void>()
  const races = createRefreshRaces(deps, realTime)
  /** Experiments whose last run was with a demo. */
  const isPlayed = new Set<string>()
  /** The experiments whose demos sent requests, by the ids in the responses. */
  const played = new Map<string, string>()
  bus.on('fault.hit', ({ data: { faultId } }) => {
    realTime.after(watchMs, () => {
      isOver.add(faultId)
      endRest(faultId)
    })
  })
  bus.on('fault.removed', ({ data: { faultId } }) => void isOver.delete(faultId))
  bus.on('sandbox.reset', () => {
    verdicts.clear()
    played.clear()
    isPlayed.clear()
    races.clear()
    isOver.clear()
    for (const id of followed.keys()) unfollow(id)
  })

  function unfollow(id: string): void {
    followed.get(id)?.()
    followed.delete(id)
  }

  /** Begins the time within which a followed run has to be read. */
  function awaitReader(id: string): void {
    followed.get(id)?.()
    followed.set(
      id,
      realTime.after(longestSilenceMs, () => {
        followed.delete(id)
        if (isOpen(find(id))) stop(id)
      }),
    )
  }

  /** A new run replaces the one before, and its follower. */
  function follow(id: string, isFollowed: boolean | undefined): void {
    unfollow(id)
    if (isFollowed === true) awaitReader(id)
  }

  /** Keeps the verdict and removes the rule: more responses than those that were judged are not to be changed. */
  function endRest(faultId: string): void {
    const fault = faults.get(faultId)
    if (fault === undefined || isUsedUp(fault)) return
    const experiment = experiments.find((one) => ruleOf(one, faults.list())?.id === faultId)
    const verdict = experiment && describe(experiment, requests).verdict
    if (experiment === undefined || verdict === undefined) return
    verdicts.set(experiment.id, verdict)
    faults.remove(faultId)
  }

  /** Has a demo send its requests for one experiment only. */
  const sendFor =
    (id: string) =>
    (send: Send): Send =>
    async (message) => {
      const reply = await playedExperiment.run(id, () => send(message))
      played.set(String(reply.headers['x-request-id']), id)
      for (const oldest of [...played.keys()].slice(0, -mostPlayed)) played.delete(oldest)
      return reply
    }

  /** Returns the requests that an experiment is judged by: those of its own demo, or those that no demo sent for another. */
  function evidenceOf(id: string, faultId: string, log: readonly LoggedRequest[]) {
    const sender = isPlayed.has(id) ? id : undefined
    return log.filter(
      (request) =>
        // The response that was hit may have been cut, so that it has no id.
        request.faultId === faultId || played.get(request.responseId) === sender,
    )
  }

  function describe(experiment: Experiment, log: () => LoggedRequest[]): ExperimentItem {
    const { id, title, expected, area, demo, rule } = experiment
    const fault = ruleOf(experiment, faults.list())
    const subject = 'app' as const
    const item = { id, title, expected, subject, area, rule, ...omitUndefined({ demo }) }
    if (fault === undefined) return { ...item, ...omitUndefined({ verdict: verdicts.get(id) }) }
    const evidence = {
      fault,
      requests: fault.hits === 0 ? [] : evidenceOf(id, fault.id, log()),
      isOver: isOver.has(fault.id),
    }
    return { ...item, faultId: fault.id, verdict: judgeExperiment(experiment, evidence) }
  }

  function describeRace(race: RaceExperiment): ExperimentItem {
    const { id, title, expected } = race
    const verdict = races.verdictOf(race)
    return { id, title, expected, subject: 'app', area: 'sign-in', ...omitUndefined({ verdict }) }
  }

  function describeReceiver({ id, title, expected }: ReceiverExperiment): ExperimentItem {
    return {
      id,
      title,
      expected,
      subject: 'receiver',
      area: 'webhooks',
      ...omitUndefined({ verdict: verdicts.get(id) }),
    }
  }

  function refuseUnknown(id: string): never {
    const known = [...experiments, ...raceExperiments, ...receiverExperiments]
      .map((one) => one.id)
      .join(', ')
    throw new Refusal('not_found', `Unknown experiment ${id}. Use one of ${known}.`)
  }

  function refuseRun(
    { id, demo, needsIss, isAnonymous }: Experiment,
    { clientId, isPlayed }: { clientId: string | undefined; isPlayed: boolean | undefined },
  ): void {
    const { strict, sendIss } = deps.settings
    if (needsIss && !strict && !sendIss) throw new Refusal('conflict', words.needsIss)
    if (isPlayed === true && demo === undefined) throw new Refusal('conflict', words.noDemo(id))
    if (isAnonymous && clientId !== undefined) throw new Refusal('invalid', words.namesNoApp(id))
  }

  function removeRule(experiment: Experiment): void {
    const fault = ruleOf(experiment, faults.list())
    if (fault !== undefined) faults.remove(fault.id)
  }

  function stop(id: string): void {
    unfollow(id)
    const experiment = experiments.find((one) => one.id === id)
    const race = raceExperiments.find((one) => one.id === id)
    if (race !== undefined) return races.stop(race)
    if (experiment !== undefined) removeRule(experiment)
    else if (!receiverExperiments.some((one) => one.id === id)) refuseUnknown(id)
    verdicts.delete(id)
  }

  function find(id: string): ExperimentItem {
    const experiment = experiments.find((one) => one.id === id)
    if (experiment !== undefined) return describe(experiment, requests)
    const race = raceExperiments.find((one) => one.id === id)
    if (race !== undefined) return describeRace(race)
    return describeReceiver(receiverExperiments.find((one) => one.id === id) ?? refuseUnknown(id))
  }

  return {
    list() {
      let read: LoggedRequest[] | undefined
      const log = () => (read ??= requests())
      return [
        ...experiments.map((one) => describe(one, log)),
        ...raceExperiments.map(describeRace),
        ...receiverExperiments.map(describeReceiver),
      ]
    },
    get(id) {
      const item = find(id)
      if (followed.has(id)) awaitReader(id)
      return item
    },
    async run(id, { clientId, webhookId, play: wantsDemo, isFollowed }) {
      const race = raceExperiments.find((one) => one.id === id)
      if (race !== undefined) {
        if (wantsDemo === true) throw new Refusal('conflict', words.noDemo(id))
        races.run(race, clientId)
        follow(id, isFollowed)
        return describeRace(race)
      }
      const receiver = receiverExperiments.find((one) => one.id === id)
      if (receiver !== undefined) {
        verdicts.set(id, await judgeReceiver(deps, receiver, webhookId))
        return describeReceiver(receiver)
      }
      const experiment = experiments.find((one) => one.id === id) ?? refuseUnknown(id)
      refuseRun(experiment, { clientId, isPlayed: wantsDemo })
      removeRule(experiment)
      verdicts.delete(id)
      const { rule, demo } = experiment
      const match = { ...rule.match, ...omitUndefined({ clientId }) }
      faults.add({ ...rule, match }, { id, isPlayed: wantsDemo === true })
      follow(id, isFollowed)
      isPlayed.delete(id)
      if (wantsDemo === true && demo !== undefined) {
        isPlayed.add(id)
        await play(demo, sendFor(id))
      }
      return describe(experiment, requests)
    },
    stop,
  }
}

function isOpen({ verdict }: ExperimentItem): boolean {
  return verdict?.state === 'armed' || verdict?.state === 'watching'
}
