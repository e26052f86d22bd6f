/** Texts that several places of this feature share. */
export const words = {
  // Page
  title: 'Space frames',
  mode: 'Cookies',
  requests: 'Requests',
  emptyHint:
    'The Hub embeds a Space as a frame of another site, where browsers withhold most cookies. Open your app here to see which ones it loses, or run:',
  example: 'hub-sandbox space-frame localhost:7860',

  // Frame
  places: { frame: 'frame', direct: 'directly', unknown: 'unknown' },
  variables: 'Environment variables of the Space',
  pageVariables: 'window.huggingface.variables',
  desktop:
    'The desktop app shows no other sites. Open this page in your browser to see the app in its frame.',
} as const
