import type {
  ExperimentItem,
  RunExperimentRequest,
  Verdict,
} from '../../contract/control-experiments.ts'
import type { RequestItem } from '../../contract/control-requests.ts'
import type { DemoKind } from '../../contract/words/sandbox.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { RealTime } from '../../core/real-time.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../../events/deps.ts'
import type { WebhookEngine } from '../../webhooks/engine/engine.ts'
import type { Faults } from '../faults/faults.ts'
import { type Experiment, experiments, ruleOf } from './experiments.ts'
import type { Barriers } from '../faults/barriers.ts'
import type { RequestLog } from '../../requests/log/request-log.ts'
import { judgeExperiment } from './judge-experiment.ts'
import { createRefreshRaces, type RaceExperiment, raceExperiments } from './refresh-race.ts'
import { words } from './words.ts'
import { judgeReceiver, type ReceiverExperiment, receiverExperiments } from './receivers.ts'

/** Experiments with the user's apps and receivers. A running one with an app is known by its fault rule. */
export interface Experiments {
  list(): ExperimentItem[]
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
  requests: () => RequestItem[]
  /** Plays the demo app. */
  play: (kind: DemoKind) => Promise<unknown>
}

/** Real time after the fault in which an app would have gone on. */
const watchMs = 6000

export function createExperiments(
  deps: ExperimentDeps,
  { realTime, requests, play }: Options,
): Experiments {
  const { faults, bus } = deps
  /** Rules whose apps have had their time to react. */
  const isOver = new Set<string>()
  const verdicts = new Map<string, Verdict>()
  const races = createRefreshRaces(deps, realTime)
  bus.on('fault.hit', ({ data: { faultId } }) => {
    realTime.after(watchMs, () => isOver.add(faultId))
  })
  bus.on('fault.removed', ({ data: { faultId } }) => void isOver.delete(faultId))
  bus.on('sandbox.reset', () => {
    verdicts.clear()
    races.clear()
    isOver.clear()
  })

  function describe(experiment: Experiment, log: () => RequestItem[]): ExperimentItem {
    const { id, title, expected, area, demo, rule } = experiment
    const fault = ruleOf(experiment, faults.list())
    const subject = 'app' as const
    const item = { id, title, expected, subject, area, rule, ...omitUndefined({ demo }) }
    if (fault === undefined) return item
    const evidence = {
      fault,
      requests: fault.hits === 0 ? [] : log(),
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
    throw new Refusal('not_found', `There is no experiment ${id}. Use one of ${known}.`)
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

  return {
    list() {
      let read: RequestItem[] | undefined
      const log = () => (read ??= requests())
      return [
        ...experiments.map((one) => describe(one, log)),
        ...raceExperiments.map(describeRace),
        ...receiverExperiments.map(describeReceiver),
      ]
    },
    async run(id, { clientId, webhookId, play: isPlayed }) {
      const race = raceExperiments.find((one) => one.id === id)
      if (race !== undefined) {
        if (isPlayed === true) throw new Refusal('conflict', words.noDemo(id))
        races.run(race, clientId)
        return describeRace(race)
      }
      const receiver = receiverExperiments.find((one) => one.id === id)
      if (receiver !== undefined) {
        verdicts.set(id, await judgeReceiver(deps, receiver, webhookId))
        return describeReceiver(receiver)
      }
      const experiment = experiments.find((one) => one.id === id) ?? refuseUnknown(id)
      refuseRun(experiment, { clientId, isPlayed })
      removeRule(experiment)
      const { rule, demo } = experiment
      faults.add({ ...rule, match: { ...rule.match, ...omitUndefined({ clientId }) } })
      if (isPlayed === true && demo !== undefined) await play(demo)
      return describe(experiment, requests)
    },
    stop(id) {
      const experiment = experiments.find((one) => one.id === id)
      const race = raceExperiments.find((one) => one.id === id)
      if (race !== undefined) return races.stop(race)
      if (experiment !== undefined) removeRule(experiment)
      else if (!receiverExperiments.some((one) => one.id === id)) refuseUnknown(id)
      verdicts.delete(id)
    },
  }
}
