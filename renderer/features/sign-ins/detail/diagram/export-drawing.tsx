import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { FlowDetail } from '../../../../../server/contract/control-flows.ts'
import { measureInBrowser } from './measure.ts'
import { PrintedDrawing } from './printed-drawing.tsx'

/** Diagram of a flow as an SVG file. Names are text nodes, so they need no escaping here. */
export function drawSvg(flow: FlowDetail): string {
  const frame = document.createElement('div')
  const root = createRoot(frame)
  flushSync(() => root.render(<PrintedDrawing flow={flow} measure={measureInBrowser()} />))
  const drawing = frame.querySelector('svg')
  const text = drawing === null ? '' : new XMLSerializer().serializeToString(drawing)
  root.unmount()
  return text
}

/** Pixel density that is sharp on a projector and on paper. */
const fineness = 2
/** Largest canvas that browsers draw. */
const mostPixels = 16_000

/**
 * The drawing of a flow as a PNG file.
 * @throws {Error} when the browser cannot draw it, which is said
 */
export async function drawPng(flow: FlowDetail): Promise<Blob> {
  const image = new Image()
  // The content security policy allows images from `data:` URLs only.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawSvg(flow))}`
  await image.decode()
  const scale = Math.min(fineness, mostPixels / image.naturalHeight)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.naturalWidth * scale)
  canvas.height = Math.round(image.naturalHeight * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new Error('The browser could not draw so large a picture. Take the SVG.')
  return blob
}
