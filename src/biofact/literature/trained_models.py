"""Scoring models that users have trained, each a file under a name. Needs the extra ``ml``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from biofact.core.errors import AmbiguousQuery
from biofact.core.settings import Settings
from biofact.transport.keep.cache import cache_folder

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

ModelName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]
"""The name of a trained model: letters, digits, hyphens and underscores."""
_ENDING = ".skops"


class TrainedModels:
    """The trained models of this user."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def path(self, name: str) -> Path:
        """The path of a model, which may not exist yet.

        Raises:
            AmbiguousQuery: there is no place for models.
        """
        folder = cache_folder(self._settings)
        if folder is None:
            raise AmbiguousQuery("There is no folder for trained models.", hint="Set BIOFACT_CACHE_DIR.")
        return folder / "models" / f"{name}{_ENDING}"

    def names(self) -> list[str]:
        """The names of the existing models."""
        folder = cache_folder(self._settings)
        paths = (folder / "models").glob(f"*{_ENDING}") if folder else ()
        return sorted(path.stem for path in paths)

    def load(self, name: str) -> "TrainedModel":
        """The model of this name.

        Raises:
            AmbiguousQuery: there is none, it cannot be read, or the extra is not installed.
        """
        from biofact.literature.scoring.trained_model import TrainedModel  # noqa: PLC0415  # numpy loads on first use

        try:
            return TrainedModel.load(self.path(name))
        except FileNotFoundError as error:
            model_list = f"There are {', '.join(self.names())}." if self.names() else "There is none yet."
            raise AmbiguousQuery(
                f"There is no trained model {name!r:.60}. {model_list}",
                hint="Train one with 'biofact literature train', or score by weighted_sum or composite.",
                invalid_input=name,
            ) from error
        except (ValueError, ModuleNotFoundError) as error:
            raise AmbiguousQuery(
                str(error), hint="Score by weighted_sum or composite instead.", invalid_input=name
            ) from error
