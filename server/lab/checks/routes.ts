import { rules } from './check-catalog.ts'
import { describeRule } from './describe-rule.ts'
import type { AdvicePause } from '../../contract/control-advice.ts'
import { suggestion } from '../../contract/suggestion.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import { performance } from '../../core/timers.ts'
import { findingsOf, reportOfFindings } from '../report/check-report.ts'
import { fileNameOf, renderReport } from '../report/formats.ts'
import type { Gate } from '../report/report.ts'
import type { ServerDeps } from '../server-deps.ts'
import { createAdviceReader, fixedIgnores } from './read-advice.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import { checkAdviceFilters } from '../control/filters.ts'
import { createLineStreams } from '../../web/line-streams.ts'

export const adviceRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const advice = createAdviceReader(deps)
  control(app, 'GET advice', async ({ query }) => {
    if (query.rule !== undefined) requireRule(query.rule)
    checkAdviceFilters(deps, query)
    return advice.read(query)
  })
  control(app, 'GET advice/rules', async () => ({ items: rules.map(describeRule) }))
  control(app, 'GET advice/report', async ({ query: { format, ...query } }) => {
    checkAdviceFilters(deps, query)
    const findings = findingsOf(
      advice.read(query),
      rules.map(describeRule),
      isoTime(deps.clock.now()),
    )
    return {
      filename: fileNameOf('checks', format),
      text: renderReport(format, reportOfFindings(findings, usualGate)),
    }
  })
  control(app, 'POST advice/ignores', async ({ body }) => {
    requireRule(body.rule)
    const { id } = deps.adviceExceptions.ignore(body)
    const made = advice.read().ignores.find((ignore) => ignore.id === id)
    return made ?? { id, ...body, source: 'control' as const, findings: 0 }
  })
  control(app, 'DELETE advice/ignores/:id', async ({ params: { id } }) => {
    if (deps.adviceExceptions.removeIgnore(id)) return {}
    const isFixed = fixedIgnores(deps).some((ignore) => ignore.id === id)
    throw new Refusal(
      'not_found',
      isFixed
        ? 'The fixtures file has this ignore: remove it there (config.advice.ignore).'
        : `There is no ignore ${id}.`,
    )
  })
  const answerLines = createLineStreams(app)
  control(app, 'POST advice/pauses', async ({ query: { follow } }, reply) => {
    const pause = { id: deps.adviceExceptions.pause(now(deps)) }
    if (follow === undefined) return pause
    reply.raw.once('close', () => deps.adviceExceptions.resume(pause.id, now(deps)))
    return answerLines(reply, (hungUp) => lineUntil(pause, hungUp))
  })
  control(app, 'DELETE advice/pauses/:id', async ({ params: { id } }) => {
    // A reset in between has ended it already.
    deps.adviceExceptions.resume(id, now(deps))
    return {}
  })
}

/** Sends one line and keeps the stream open until the caller has disconnected. */
async function* lineUntil(pause: AdvicePause, hungUp: AbortSignal): AsyncGenerator<string> {
  const left = new Promise<void>((resolve) => hungUp.addEventListener('abort', () => resolve()))
  yield `${JSON.stringify(pause)}\n`
  if (!hungUp.aborted) await left
}

/** Gate of the command `check` without flags. */
const usualGate: Gate = { level: 'error' }

const now = ({ clock }: ServerDeps) => ({ realAt: clock.realNow(), realMs: performance.now() })

function requireRule(id: string): void {
  const ids = rules.map((rule) => rule.id)
  if (ids.includes(id)) return
  throw new Refusal('not_found', `There is no rule ${id}${suggestion(id, ids)}.`)
}
