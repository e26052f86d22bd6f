import { isLoopbackHost } from './loopback.ts'

/**
 * Why another device, such as a phone, cannot open an address of the sandbox.
 * @returns a sentence that says what helps; `undefined` when nothing is known to keep it from it
 */
export function whyUnreachable(address: string): string | undefined {
  const { hostname, port } = new URL(address)
  if (!isLoopbackHost(hostname)) return undefined
  const suffix = port === '' ? '' : `:${port}`
  return `Another device cannot open this address: ${hostname} is that device itself there. Start the sandbox with --host 0.0.0.0 --base-url http://THIS-MACHINE${suffix} to use a phone.`
}
