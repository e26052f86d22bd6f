/** Drawn on a 16-pixel grid with a stroke of 1.5, so that they sit level with 13-pixel text. */
const paths = {
  overview: 'M2.5 3h4v5h-4zM9.5 3h4v3h-4zM9.5 9h4v4h-4zM2.5 11h4v2h-4z',
  token: 'M10.2 9.5a3.7 3.7 0 1 0-3.6-2.7L2.5 10.9V13.5h2.6v-1.7h1.7v-1.7h1.2zM11.1 4.9h.01',
  delivery: 'M2 8h7M6.5 4.5 10 8l-3.5 3.5M12.5 3v10',
  webhook:
    'M8 2.8a2.5 2.5 0 0 0-1.2 4.7L4.7 11M8 2.8a2.5 2.5 0 0 1 2.4 3.2M4.7 11a2.2 2.2 0 1 1-2.2-1.5M4.7 11.5h6.6M11.3 11.5a2.2 2.2 0 1 0 .6-2.1l-2-3.7',
  trigger: 'M8.9 1.8 3.5 9h4l-.6 5.2L12.5 7h-4z',
  flow: 'M3.5 2v12M12.5 2v12M3.5 5h7M8.5 3l2 2-2 2M12.5 10.5h-7M7.5 8.5l-2 2 2 2',
  app: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM11 9v4M9 11h4',
  connected:
    'M6.5 9.5l3-3M7 5l1.3-1.3a2.6 2.6 0 0 1 3.9 3.6L11 8.7M9 11l-1.3 1.3a2.6 2.6 0 0 1-3.9-3.6L5 7.3',
  people:
    'M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM1.8 13c.3-2.3 2-3.6 4.2-3.6s3.9 1.3 4.2 3.6M10.5 3.2a2.2 2.2 0 0 1 0 4.1M11.8 9.7c1.4.5 2.3 1.6 2.5 3.3',
  repo: 'M3.5 2.5h9v8.5h-8a1 1 0 0 0-1 1zM3.5 12a1.3 1.3 0 0 0 1.3 1.5h7.7V11M6 5.3h4',
  collection: 'M3 6h10v7.5H3zM4.5 4h7M6 2h4',
  endpoint: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 1.8v3.7M8 10.5v3.7M1.8 8h3.7M10.5 8h3.7',
  folder: 'M2.5 4.5v8h11V6H8L6.5 4.5z',
  model: 'M8 1.9 13.3 5v6L8 14.1 2.7 11V5zM2.7 5 8 8.1 13.3 5M8 8.1v6',
  dataset:
    'M3 4.2c0-1 2.2-1.8 5-1.8s5 .8 5 1.8-2.2 1.8-5 1.8-5-.8-5-1.8zM3 4.2v7.6c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4.2M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8',
  space: 'M2.5 3.5h11v9h-11zM2.5 6.2h11M4.5 4.85h.01M6.2 4.85h.01',
  bucket: 'M3 4.3h10l-1.2 9H4.2zM3 4.3c0-1 2.2-1.8 5-1.8s5 .8 5 1.8-2.2 1.8-5 1.8-5-.8-5-1.8z',
  job: 'M2.5 3.5h11v9h-11zM5 6.5 7 8.2 5 10M8.5 10H11',
  request: 'M2.5 5h9M9 2.5 11.5 5 9 7.5M13.5 11h-9M7 8.5 4.5 11 7 13.5',
  settings:
    'M2.5 4.5h5M11.5 4.5h2M9.5 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM2.5 11.5h2M8.5 11.5h5M6.5 13.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  audit: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2',
  clock: 'M8 13.7A5.7 5.7 0 1 0 8 2.3a5.7 5.7 0 0 0 0 11.4zM8 4.9V8l2 1.5',
  check: 'm3 8.5 3.3 3.3L13 4.5',
  cross: 'm4 4 8 8M12 4l-8 8',
  minus: 'M3.5 8h9',
  retry: 'M13 3v3.5H9.5M12.8 6.5A5.2 5.2 0 1 0 13.2 9',
  skip: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM4.2 11.8l7.6-7.6',
  hold: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM6.7 6v4M9.3 6v4',
  sending: 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
  queued: 'M3 8h.01M8 8h.01M13 8h.01',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6L12.5 8z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  chevron: 'm6 3.5 4.5 4.5L6 12.5',
  down: 'm4 6 4 4 4-4',
  sort: 'm5 6.2 3-3 3 3M5 9.8l3 3 3-3',
  plus: 'M8 3v10M3 8h10',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.2 4.5l.6 9h6.4l.6-9M6.8 7v4M9.2 7v4',
  edit: 'm3 13 .6-2.8 7.2-7.2 2.2 2.2-7.2 7.2zM9.3 4.5l2.2 2.2',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.8v1.2M8 13v1.2M1.8 8H3M13 8h1.2M3.6 3.6l.8.8M11.6 11.6l.8.8M12.4 3.6l-.8.8M4.4 11.6l-.8.8',
  moon: 'M13.3 9.6A5.7 5.7 0 0 1 6.4 2.7a5.7 5.7 0 1 0 6.9 6.9z',
  screen: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  keyboard: 'M1.8 4h12.4v8H1.8zM4.2 6.6h.01M6.7 6.6h.01M9.3 6.6h.01M11.8 6.6h.01M4.8 9.5h6.4',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10',
  external: 'M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13.5 2.5 7.5 8.5',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.2h.01',
  info: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 7.5v3M8 5.3h.01',
  lock: 'M4 7.5h8v6H4zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2',
  agent: 'M3 6h10v6.5H3zM8 6V3M6 3h4M5.8 9h.01M10.2 9h.01M1.5 8.5v2M14.5 8.5v2',
  key: 'M5.5 12.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.7 7.3 13 2.5M10.5 4.8l1.7 1.7',
  camera: 'M2.5 5h2.7l1-1.5h3.6l1 1.5h2.7v8h-11zM8 11.2a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6z',
  eye: 'M1.5 8S3.8 3.7 8 3.7 14.5 8 14.5 8 12.2 12.3 8 12.3 1.5 8 1.5 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  bookmark: 'M4.5 2.5h7v11L8 10.8l-3.5 2.7z',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  )
}
