import { useSyncExternalStore } from 'react'

interface Reading {
  now: string
  frozen: boolean
  offsetMs: number
}

/**
 * Sandbox time in the browser. The server sends its offset once and after each change; in between it advances here,
 * so countdowns need no requests.
 */
let reading: Reading = { now: new Date().toISOString(), frozen: false, offsetMs: 0 }
let currentSecond = Math.floor(sandboxNow() / 1000)
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** The sandbox's time in milliseconds, for what is not rendered. */
export function sandboxNow(): number {
  return reading.frozen ? Date.parse(reading.now) : Date.now() + reading.offsetMs
}

export function setClockReading(next: Reading): void {
  reading = next
  tick()
}

function tick(): void {
  const second = Math.floor(sandboxNow() / 1000)
  if (second === currentSecond) return
  currentSecond = second
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 250)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The sandbox's time in milliseconds, to the second; renders again as it passes. */
export function useSandboxNow(): number {
  return useSyncExternalStore(subscribe, () => currentSecond) * 1000
}
