import type { WaitingDevice } from '../../../../server/contract/control-flows.ts'
import { CopyButton } from '../../../ui/copy.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { Countdown } from '../../../ui/time.tsx'

/** User code of a pending device, large enough to read from across the room, with a QR code. */
export function DeviceCode({ device }: { device: WaitingDevice }) {
  const { userCode, verificationUri, verificationUriComplete = verificationUri } = device
  return (
    <section
      aria-label="Device code"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line bg-sunken/60 px-4 py-3"
    >
      <QrCode text={verificationUriComplete} label={`QR code of ${verificationUriComplete}`} />
      <div className="flex min-w-60 flex-1 flex-col items-start gap-2">
        <p className="font-mono text-[2.5rem] leading-none font-semibold tracking-[0.12em]">
          {userCode}
        </p>
        <div className="min-w-0 text-sm">
          <a
            href={verificationUriComplete}
            target="_blank"
            rel="noopener noreferrer"
            className="font-mono break-all text-accent underline underline-offset-2"
          >
            {verificationUri}
          </a>
          <p className="text-xs text-muted">
            Open this URL and enter the code. Expires in{' '}
            <Countdown time={device.expiresAt} past="a moment, or has expired" />.
          </p>
          {device.unreachable && (
            <p className="max-w-[70ch] text-xs text-warn">{device.unreachable}</p>
          )}
        </div>
        <CopyButton text={userCode} what="code" />
      </div>
    </section>
  )
}
