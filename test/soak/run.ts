// Uses a sandbox for long, as many would at once, and says whether it stays as it was: `npm run soak -- --help`.
import { omitUndefined } from '../../server/core/omit-undefined.ts'
import { toolFlags } from '../helpers/tool-flags.ts'
import { inStretches, sparkline } from './curve.ts'
import { type Sample, soak, type SoakReport } from './soak.ts'
import { showBytes } from './verdicts.ts'

const usage = `npm run soak [-- FLAG…]

Uses a sandbox for long, as many would at once, and says whether it stays as it was.

  --minutes N               how long (default: 30; under 15, what is capped may still grow in the second half, which it takes for a leak)
  --rate N                  requests a second (default: 50)
  --seed N                  what all of them follow from (default: 1)
  --heap-snapshots FOLDER   snapshots of its memory, early and late
  --help                    this text

Ends with 1 where something grows, fails or stays behind, with 2 for what it does not understand.
`

const { amounts, texts } = toolFlags(usage, {
  amounts: { minutes: 30, rate: 50, seed: 1 },
  texts: ['heap-snapshots'],
})
const progressMs = 60_000
const stretches = 60

let shownAt = 0
const report = await soak({
  ...amounts,
  ...omitUndefined({ heapSnapshots: texts['heap-snapshots'] }),
  onSample({ atMs, sent, residentBytes, openFiles, delayP99Ms }) {
    if (atMs < shownAt + progressMs) return
    shownAt = atMs
    const delay = `${delayP99Ms.toFixed(1)} ms`
    console.log(
      `${Math.round(atMs / 60_000)} min: ${sent} requests, ${showBytes(residentBytes)}, ${openFiles} files, ${delay}`,
    )
  },
})
print(report)
if (report.verdicts.some(({ isGood }) => !isGood)) process.exitCode = 1

function print({
  samples,
  liveHeap,
  tallies,
  sent,
  received,
  messages,
  verdicts,
}: SoakReport): void {
  console.log(`\n${sent} requests, ${received} deliveries, ${messages} messages to dashboards\n`)
  for (const [name, { done, failed, failure }] of tallies) {
    console.log(
      `${name.padEnd(18)} ${done} done, ${failed} not${failure ? ` (${failure.slice(0, 90)})` : ''}`,
    )
  }
  console.log()
  const of = (pick: (sample: Sample) => number) =>
    samples.map((sample) => ({ atMs: sample.atMs, value: pick(sample) }))
  const resources = (kind: RegExp) =>
    of((sample) =>
      Object.entries(sample.resources)
        .filter(([name]) => kind.test(name))
        .reduce((sum, [, count]) => sum + count, 0),
    )
  const curves = [
    ['live heap', liveHeap, showBytes],
    ['resident memory', of(({ residentBytes }) => residentBytes), showBytes],
    ['heap used', of(({ heapUsedBytes }) => heapUsedBytes), showBytes],
    ['external', of(({ externalBytes }) => externalBytes), showBytes],
    ['data folder', of(({ diskBytes }) => diskBytes), showBytes],
    ['timers', resources(/^Timeout$/), String],
    ['other handles', resources(/^(?!Timeout$)/), String],
    ['open files', of(({ openFiles }) => openFiles), String],
    ['loop delay p99, ms', of(({ delayP99Ms }) => delayP99Ms), (ms: number) => ms.toFixed(1)],
  ] as const
  for (const [name, points, show] of curves) {
    const values = inStretches(points, stretches)
    const span = `${show(values[0] ?? 0)} … ${show(Math.max(...values))} … ${show(values.at(-1) ?? 0)}`
    console.log(`${name.padEnd(18)} ${sparkline(values)}  ${span}`)
  }
  console.log()
  for (const { what, isGood, why } of verdicts) console.log(`${isGood ? '✓' : '✗'} ${what}: ${why}`)
}
