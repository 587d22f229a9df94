"""Pages as a browser lays them out, and their segments."""

from thresher.visual.browser import Browser, BrowserWarning, RenderOptions, render
from thresher.visual.rendered_page import RenderedPage

__all__ = ["Browser", "BrowserWarning", "RenderOptions", "RenderedPage", "render"]
