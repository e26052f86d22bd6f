import { useMemo } from 'react'
import { encode } from 'uqr'

/** Modules of light around it, which cameras look for (ISO/IEC 18004). */
const quietZone = 4

interface QrCodeProps {
  text: string
  label: string
  /** Class of its width and height. */
  size?: string
}

/** A QR code: dark on light in either theme, since not every camera reads the inverse. */
export function QrCode({ text, label, size: extent = 'size-36' }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <figure className="shrink-0">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className={`${extent} rounded-md border border-line forced-color-adjust-none`}
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <figcaption className="sr-only">{label}</figcaption>
    </figure>
  )
}

/** The dark modules as one path. */
function draw(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: quietZone })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return { size, path }
}
