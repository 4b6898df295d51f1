// Reads the QR code that a page shows, as the camera of another phone would.
import { decodeQR } from 'qr/decode.js'

export interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green, blue and opacity of each pixel. */
  readonly data: readonly number[]
}

/** @throws when no code is found in the picture */
export function readCode({ width, height, data }: Picture): string {
  // By default it gives up after a sixtieth of a second.
  return decodeQR({ width, height, data: Uint8Array.from(data) }, { format: 'RGBA', timeLimit: 10_000 })
}

/**
 * An expression for a page of the oldest engine too: the `Picture` that the SVG element `svg` is,
 * with four pixels for
 * each module. Its path is drawn by the browser.
 */
export const pictureOf = (svg: string): string => `(function () {
  var box = ${svg}.viewBox.baseVal, canvas = document.createElement('canvas'), brush = canvas.getContext('2d')
  canvas.width = canvas.height = 4 * box.width
  brush.fillStyle = '#fff'
  brush.fillRect(0, 0, canvas.width, canvas.height)
  brush.scale(4, 4)
  brush.translate(-box.x, -box.y)
  brush.fillStyle = '#000'
  brush.fill(new Path2D(${svg}.querySelector('path').getAttribute('d')))
  var data = brush.getImageData(0, 0, canvas.width, canvas.height).data
  return { width: canvas.width, height: canvas.height, data: Array.from(data) }
})()`
