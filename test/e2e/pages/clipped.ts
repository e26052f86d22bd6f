import type { Page } from '@playwright/test'

/**
 * Finds what a narrow window cuts off: the page itself where it scrolls sideways, and controls that lie outside of it or
 * of a part that hides what is beyond its edge. Text that ends in an ellipsis is no finding, nor are tabs and code, which
 * scroll in a frame of their own.
 */
export function findClipped(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    for (const element of [document.documentElement, document.querySelector('#main')]) {
      if (element && element.scrollWidth > element.clientWidth + 1) {
        found.push(
          `${element.id || 'page'} scrolls sideways by ${element.scrollWidth - element.clientWidth}`,
        )
      }
    }
    const tolerance = 1
    const isCut = (control: Element): boolean => {
      const box = control.getBoundingClientRect()
      if (box.width < 2 || box.height < 2) return false
      let right = window.innerWidth
      let left = 0
      for (let at = control.parentElement; at; at = at.parentElement) {
        const { overflowX, textOverflow, position } = getComputedStyle(at)
        if (at.matches('pre, [role="tablist"]')) return false
        if (overflowX !== 'visible' && textOverflow !== 'ellipsis') {
          const clip = at.getBoundingClientRect()
          right = Math.min(right, clip.right)
          left = Math.max(left, clip.left)
        } else if (overflowX !== 'visible') {
          // A shortened text shows at least its start.
          const clip = at.getBoundingClientRect()
          if (box.left < clip.right - 12 && box.left >= clip.left - tolerance) return false
        }
        if (position === 'fixed') break
      }
      return box.right > right + tolerance || box.left < left - tolerance
    }
    const controls = document.querySelectorAll(
      'main :is(button, a[href], input, select, textarea, [role="tab"], [role="switch"]), header :is(button, a[href])',
    )
    for (const control of controls) {
      if (!control.checkVisibility({ opacityProperty: true })) continue
      if (control.closest('.sr-only') || control.getAttribute('aria-hidden') === 'true') continue
      if (control instanceof HTMLInputElement && control.tabIndex < 0) continue
      if (!isCut(control)) continue
      const name = control.getAttribute('aria-label') ?? control.textContent ?? ''
      found.push(`${control.tagName.toLowerCase()} “${name.trim().slice(0, 40)}” is cut`)
    }
    return found
  })
}
