import type { ReactElement } from "react"

/** The product's picture. */
export function CoffeeBag(): ReactElement {
  return (
    <svg viewBox="0 0 240 300" className="bag" aria-hidden="true">
      <defs>
        <linearGradient id="paper" x1="0" x2="1">
          <stop offset="0" stopColor="#c98b52" />
          <stop offset=".55" stopColor="#e0aa72" />
          <stop offset="1" stopColor="#b5763f" />
        </linearGradient>
      </defs>
      <ellipse cx="120" cy="286" rx="92" ry="9" fill="#000" opacity=".14" />
      <path d="M44 40h152l12 236a10 10 0 0 1-10 10H42a10 10 0 0 1-10-10z" fill="url(#paper)" />
      <path d="M44 40h152l2 34H42z" fill="#8a5528" opacity=".45" />
      <path d="M40 18h160v26H40z" fill="#5d3818" />
      <path d="M40 30h160" stroke="#fff" strokeOpacity=".25" strokeDasharray="3 5" />
      <rect x="66" y="112" width="108" height="118" rx="8" fill="#fff8ee" />
      <g transform="translate(120 152) rotate(28)" fill="#5d3818">
        <ellipse rx="17" ry="26" />
        <path d="M2-24C-12-8 12 8-2 24" fill="none" stroke="#fff8ee" strokeWidth="4" />
      </g>
      <path d="M84 196h72M94 208h52" stroke="#5d3818" strokeWidth="5" strokeLinecap="round" />
    </svg>
  )
}
