import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '../children.ts'
import { amount } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { drive } from '../load.ts'
import type { Goal, Result, Row } from '../row.ts'
import { type FixedRequest, withProgram, withSandbox } from '../sandbox.ts'

const points = [0, 10_000, 50_000, 100_000, 200_000, 400_000]
/** Lets what the start left behind settle. */
const restMs = 1000

const goals: Record<number, Goal> = {
  0: { atMost: 1.2 },
  200_000: { atMost: 1.5 },
  400_000: { atMost: 1.5 },
}

/** Resident memory of the whole process, and what of its heap is alive at the ends of that curve. */
export const memoryRow: Row = { name: 'memory', measure: measureMemory }

async function measureMemory(): Promise<Result[]> {
  const whoami = { path: '/api/whoami-v2', headers: [`Authorization: Bearer ${userToken}`] }
  const ours = await withSandbox((sandbox) => curveOf(sandbox, whoami))
  const bare = await withProgram('bare-fastify', {}, (program) =>
    curveOf(program, { path: '/json' }),
  )
  // Of a program of its own: a collection at the start would change the curve.
  const atStart = await withSandbox((sandbox) => liveHeapOf(sandbox, whoami))
  const bareAtStart = await withProgram('bare-fastify', {}, (program) =>
    liveHeapOf(program, { path: '/json' }),
  )
  const resident = points.map((requests, index) =>
    resultOf(
      requests === 0 ? 'memory after start' : `memory after ${thousands(requests)} requests`,
      ours.resident[index]!,
      bare.resident[index]!,
      goals[requests],
    ),
  )
  // V8 doubles its young generation, up to 32 MiB, once more has survived in it since the last time than it holds. However
  // little survives, that adds up: when it happens says nothing of what grows without end.
  const settled = ours.resident.map((bytes, index) => bytes - ours.young[index]!)
  const [before, last] = settled.slice(-2)
  const against = 'memory after 400,000 requests, against 200,000, young generation apart'
  return [
    ...resident,
    resultOf(against, last!, before!, { atMost: 1.05 }),
    resultOf('live heap after start', atStart, bareAtStart),
    resultOf('live heap after 400,000 requests', ours.liveHeap, bare.liveHeap),
  ]
}

interface Curve {
  resident: number[]
  /** What V8's young generation has of it. */
  young: number[]
  liveHeap: number
}

async function curveOf(program: Child, request: FixedRequest): Promise<Curve> {
  const resident: number[] = []
  const young: number[] = []
  let sent = 0
  for (const point of points) {
    const items = Math.max(1, amount(point) - sent)
    await drive(program.url, { scenario: 'same', input: { request } }, items)
    sent += items
    if (point === 0) await sleep(restMs)
    resident.push((await program.usage()).residentBytes)
    young.push(await program.ask<number>('youngGeneration'))
  }
  return { resident, young, liveHeap: await program.ask<number>('liveHeap') }
}

async function liveHeapOf(program: Child, request: FixedRequest): Promise<number> {
  await drive(program.url, { scenario: 'same', input: { request } }, 1)
  await sleep(restMs)
  return program.ask<number>('liveHeap')
}

function resultOf(what: string, ours: number, baseline: number, goal?: Goal): Result {
  return {
    what,
    ours: megabytes(ours),
    baseline: megabytes(baseline),
    ratio: ours / baseline,
    ...(goal === undefined ? {} : { goal }),
  }
}

function thousands(count: number): string {
  return count.toLocaleString('en')
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`
}
