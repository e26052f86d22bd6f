import type { FlowDetail } from '../../../server/contract/control-flows.ts'
import { CopyButton } from '../../components/copy.tsx'
import { Countdown } from '../../components/time.tsx'

/** The code of a device that waits, to be read from across the room. */
export function DeviceCode({ device }: { device: NonNullable<FlowDetail['device']> }) {
  return (
    <section
      aria-label="Device code"
      className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line bg-sunken/60 px-4 py-3"
    >
      <p className="font-mono text-[2rem] leading-none font-semibold tracking-[0.12em]">
        {device.userCode}
      </p>
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-mono break-all">{device.verificationUri}</p>
        <p className="text-xs text-muted">
          Open this address, type the code. It ends in{' '}
          <Countdown time={device.expiresAt} past="a moment, or has ended" />.
        </p>
        {device.unreachable && <p className="text-xs text-warn">{device.unreachable}</p>}
      </div>
      <CopyButton text={device.userCode} what="code" />
    </section>
  )
}
